import { sqlite } from './sqlite.js';

// <<database>>
app.configure(sqlite);
