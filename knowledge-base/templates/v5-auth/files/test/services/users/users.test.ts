import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import rest from '@feathersjs/rest-client';
import { app } from '../../../src/app.js';
import { createClient } from '../../../src/client.js';
import { userId } from '../../../src/services/users/users.id.js';
import { serverUrl } from '../../server-url.js';

const newUser = () => ({ email: `${randomUUID()}@example.com`, password: 'correct horse' });
const inCapitals = ({ email, password }: ReturnType<typeof newUser>) => ({ email: email.toUpperCase(), password });
const connect = () => createClient(rest(serverUrl()).fetch(fetch));
const login = async (user: { email: string; password: string }) => {
  const client = connect();
  await client.authenticate({ strategy: 'local', ...user });
  return client;
};

describe('users', () => {
  it('are signed up, and their password never leaves the server', async () => {
    const user = newUser();
    const created = await connect().service('users').create(user);

    assert.equal(created.email, user.email);
    assert.equal('password' in created, false);
  });

  it('have a hashed password', async () => {
    const user = newUser();
    const { password } = await app.service('users').create(user);

    assert.notEqual(password, user.password);
    assert.match(password ?? '', /^\$2[aby]\$/);
  });

  it('have an email of their own, in whatever case it is written', async () => {
    const user = newUser();
    await connect().service('users').create(user);

    const again = connect().service('users').create(inCapitals(user));
    await assert.rejects(again, { name: 'Conflict', code: 409, data: { fields: ['email'] } });
  });

  it('need an email and a password that are worth the name', async () => {
    const users = connect().service('users');

    await assert.rejects(users.create({ ...newUser(), email: 'nobody' }), { name: 'BadRequest' });
    await assert.rejects(users.create({ ...newUser(), password: 'short' }), { name: 'BadRequest' });
    await assert.rejects(users.create({ email: newUser().email }), { name: 'BadRequest' });
    await assert.rejects(users.create({ ...newUser(), oauthId: 'github:1' }), { name: 'BadRequest' });
  });

  it('are shown to nobody who is not logged in', async () => {
    await assert.rejects(connect().service('users').find(), { name: 'NotAuthenticated', code: 401 });
  });

  it('see, change and remove themselves and nobody else', async () => {
    const [one, other] = [newUser(), newUser()];
    const stranger = await app.service('users').create(other);
    await connect().service('users').create(one);
    const client = await login(one);

    const { data } = await client.service('users').find();
    assert.deepEqual(
      data.map(({ email }) => email),
      [one.email],
    );
    const { data: none } = await client.service('users').find({ query: { email: other.email } });
    assert.deepEqual(none, []);

    const id = userId(stranger);
    await assert.rejects(client.service('users').get(id), { name: 'NotFound' });
    await assert.rejects(client.service('users').patch(id, { email: one.email }), { name: 'NotFound' });
    await assert.rejects(client.service('users').remove(id), { name: 'NotFound' });

    const search = { query: { password: one.password } } as object;
    await assert.rejects(client.service('users').find(search), { name: 'BadRequest' });
  });
});
