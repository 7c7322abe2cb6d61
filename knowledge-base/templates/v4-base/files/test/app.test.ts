import assert from 'node:assert/strict';
import { app } from '../src/app';

const nameOf = async (response: Response) => ((await response.json()) as { name: string }).name;

describe('the application', () => {
  it('answers an unknown path with 404 as JSON', async () => {
    const response = await fetch(`${app.get('testUrl')}/path/to/nowhere`);

    assert.equal(response.status, 404);
    assert.match(response.headers.get('content-type') ?? '', /application\/json/);
    assert.equal(await nameOf(response), 'NotFound');
  });

  it('answers a body that is not JSON with 400', async () => {
    const response = await fetch(`${app.get('testUrl')}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{ broken',
    });

    assert.equal(response.status, 400);
    assert.equal(await nameOf(response), 'BadRequest');
  });

  it('lets only the configured origins in', async () => {
    const [origin] = app.get('origins');
    const known = await fetch(`${app.get('testUrl')}/messages`, { headers: { Origin: origin } });
    const unknown = await fetch(`${app.get('testUrl')}/messages`, { headers: { Origin: 'http://elsewhere.example' } });

    assert.equal(known.headers.get('access-control-allow-origin'), origin);
    assert.equal(unknown.headers.get('access-control-allow-origin'), null);
  });
});
