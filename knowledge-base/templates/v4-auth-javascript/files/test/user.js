const { randomUUID } = require('node:crypto');
const { app } = require('../src/app');

// A call over REST, as somebody or as nobody.
const call = async (path, { method = 'GET', data, token } = {}) => {
  const headers = { 'Content-Type': 'application/json' };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  const body = data === undefined ? undefined : JSON.stringify(data);
  const response = await fetch(`${app.get('testUrl')}/${path}`, { method, headers, body });
  return { status: response.status, body: await response.json() };
};

// A new user, logged in.
const makeUser = async () => {
  const credentials = { email: `${randomUUID()}@example.com`, password: 'a long password' };
  await app.service('users').create(credentials);
  const { body } = await call('authentication', { method: 'POST', data: { strategy: 'local', ...credentials } });
  return { credentials, token: body.accessToken, id: String(body.user[app.service('users').id]) };
};

module.exports = { call, makeUser };
