const { BadRequest } = require('@feathersjs/errors');

// What the body parser refuses is the caller's fault. Feathers would call it an error of the server.
const bodyErrors = (error, _req, _res, next) => {
  const isRefusal = error.expose === true && error.status >= 400 && error.status < 500;
  next(isRefusal ? new BadRequest(error.message) : error);
};

module.exports = { bodyErrors };
