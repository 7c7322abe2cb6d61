/** Opens a store with a migration that takes so long that it can be killed in its middle. */
import { openStore } from './open-store.ts';
import { slowMigration } from './slow-migration.ts';

const [at = ''] = process.argv.slice(2);
await openStore(at, [slowMigration(at.startsWith('postgres://') ? 'postgres' : 'sqlite')]);
