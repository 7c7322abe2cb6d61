import { app } from '../src/app.js';

// <<prepare>>
await app.get('postgresqlClient').migrate.latest();
