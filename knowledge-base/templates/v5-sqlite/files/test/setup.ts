import { app } from '../src/app.js';

// <<prepare>>
await app.get('sqliteClient').migrate.latest();
