const { MethodNotAllowed } = require('@feathersjs/errors');

// `all` or `external`. Calls from inside the application have no provider.
const disallow = (what) => (context) => {
  const isExternal = Boolean(context.params.provider);
  if (what === 'all' || isExternal) throw new MethodNotAllowed(`${context.path}.${context.method}`);
};

module.exports = { disallow };
