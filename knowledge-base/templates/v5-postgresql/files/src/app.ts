import { postgresql } from './postgresql.js';

// <<database>>
app.configure(postgresql);
