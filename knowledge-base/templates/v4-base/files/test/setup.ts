import './environment';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { app } from '../src/app';
import { closeDatabase, prepareDatabase } from '../src/database';

// Root hooks of Mocha: one application, listening on a free port, for all test files.
export const mochaHooks = {
  async beforeAll() {
    await prepareDatabase(app);
    const server = app.listen(0);
    await once(server, 'listening');
    app.set('testUrl', `http://localhost:${(server.address() as AddressInfo).port}`);
  },
  async afterAll() {
    await new Promise<void>((resolve) => app.io.close(() => resolve()));
    await closeDatabase(app);
  },
};
