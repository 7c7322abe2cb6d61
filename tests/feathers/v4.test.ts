import { expect } from 'vitest';
import { proveApplications, sendJson } from './applications.ts';

await proveApplications({
  version: 'v4',
  few: [
    ['sqlite', true, false],
    ['postgresql', false, true],
    ['mongodb', true, true],
  ],
  shortSecret: 'FEATHERS_SECRET must have at least 32 characters',
  async proveAnswers(url, token) {
    const message = { text: 'Hello' };
    if (token !== '') expect(await sendJson(`${url}/messages`, message)).toMatchObject({ status: 401 });
    expect(await sendJson(`${url}/messages`, message, token)).toMatchObject({ status: 201, body: message });
    const refused = await sendJson(`${url}/messages`, { text: '' }, token);
    expect(refused).toMatchObject({ status: 400, body: { name: 'BadRequest' } });
  },
});
