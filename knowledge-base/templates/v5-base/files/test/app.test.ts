import assert from 'node:assert/strict';
import { configurationValidator } from '../src/configuration.js';
import { app } from '../src/app.js';
import { serverUrl } from './server-url.js';

const nameOf = async (response: Response) => ((await response.json()) as { name: string }).name;

describe('the application', () => {
  it('answers an unknown path with 404 as JSON', async () => {
    const response = await fetch(`${serverUrl()}/path/to/nowhere`);

    assert.equal(response.status, 404);
    assert.match(response.headers.get('content-type') ?? '', /application\/json/);
    assert.equal(await nameOf(response), 'NotFound');
  });

  it('answers a body that is not JSON with 400', async () => {
    const response = await fetch(`${serverUrl()}/path/to/nowhere`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{ broken',
    });

    assert.equal(response.status, 400);
    assert.equal(await nameOf(response), 'BadRequest');
  });

  it('lets only the configured origins in', async () => {
    const [origin] = app.get('origins');
    const known = await fetch(serverUrl(), { headers: { Origin: origin } });
    const unknown = await fetch(serverUrl(), { headers: { Origin: 'http://elsewhere.example' } });

    assert.equal(known.headers.get('access-control-allow-origin'), origin);
    assert.equal(unknown.headers.get('access-control-allow-origin'), null);
  });

  it('refuses a configuration that is not complete', async () => {
    await assert.rejects(configurationValidator({ host: 'localhost', port: 'none' }), { message: 'validation failed' });
  });
});
