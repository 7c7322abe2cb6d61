import { BadRequest } from '@feathersjs/errors';
import type { ErrorRequestHandler } from 'express';

// What the body parser refuses is the caller's fault. Feathers would call it an error of the server.
export const bodyErrors: ErrorRequestHandler = (error, _req, _res, next) => {
  const isRefusal = error.expose === true && error.status >= 400 && error.status < 500;
  next(isRefusal ? new BadRequest(error.message) : error);
};
