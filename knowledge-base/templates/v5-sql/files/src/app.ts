import { databaseErrors } from './hooks/database-errors.js';

// <<database>>
app.hooks([databaseErrors]);
