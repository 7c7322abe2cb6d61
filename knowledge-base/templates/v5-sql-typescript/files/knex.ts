// The command line of Knex, started by tsx so that it reads knexfile.ts and migrations/*.ts.
import 'knex/bin/cli.js';
