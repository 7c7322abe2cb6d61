// Imported before the application: the tests have a configuration, and a database, of their own.
process.env.NODE_ENV = 'test';
process.env.DATABASE_URL = process.env.TEST_DATABASE_URL ?? '';
// <<environment>>
