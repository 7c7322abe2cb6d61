import { databaseErrors } from './hooks/database-errors.js';
import { mongodb } from './mongodb.js';

// <<database>>
app.hooks([databaseErrors]);
app.configure(mongodb);
