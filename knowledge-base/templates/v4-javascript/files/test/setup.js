// Before the application is loaded: the tests have a configuration, and a database, of their own.
process.env.NODE_ENV = 'test';
process.env.DATABASE_URL = process.env.TEST_DATABASE_URL ?? '';

const { once } = require('node:events');
const { app } = require('../src/app');
const { closeDatabase, prepareDatabase } = require('../src/database');

// Root hooks of Mocha: one application, listening on a free port, for all test files.
exports.mochaHooks = {
  async beforeAll() {
    await prepareDatabase(app);
    const server = app.listen(0);
    await once(server, 'listening');
    app.set('testUrl', `http://localhost:${server.address().port}`);
  },
  async afterAll() {
    await new Promise((resolve) => app.io.close(resolve));
    await closeDatabase(app);
  },
};
