import { randomUUID } from 'node:crypto';
import { app } from '../src/app';

interface Call {
  method?: string;
  data?: object;
  token?: string;
}

// A call over REST, as somebody or as nobody.
export const call = async (path: string, { method = 'GET', data, token }: Call = {}) => {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  const body = data === undefined ? undefined : JSON.stringify(data);
  const response = await fetch(`${app.get('testUrl')}/${path}`, { method, headers, body });
  const answer: any = await response.json();
  return { status: response.status, body: answer };
};

// A new user, logged in.
export const makeUser = async () => {
  const credentials = { email: `${randomUUID()}@example.com`, password: 'a long password' };
  await app.service('users').create(credentials);
  const { body } = await call('authentication', { method: 'POST', data: { strategy: 'local', ...credentials } });
  return { credentials, token: body.accessToken, id: String(body.user[app.service('users').id]) };
};
