/** Opens a store with a migration that is slow enough to be killed while it runs. */
import { openStore } from './open-store.ts';
import { slowMigration } from './slow-migration.ts';

const [at = ''] = process.argv.slice(2);
await openStore(at, [slowMigration(at.startsWith('postgres://') ? 'postgres' : 'sqlite')]);
