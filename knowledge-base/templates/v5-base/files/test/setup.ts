import './environment.js';
import { once } from 'node:events';
import { app } from '../src/app.js';

// Root hooks of Mocha: one application, listening on a free port, for all test files.
export const mochaHooks = {
  async beforeAll() {
    // <<prepare>>
    const server = await app.listen(0);
    if (!server.listening) await once(server, 'listening');
  },
  async afterAll() {
    await app.teardown();
  },
};
