import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';
import { createCall, newTenant } from './storage/call.ts';
import { createSqliteTestStore } from './storage/sqlite-engine.ts';
import { listIds } from './storage/tables.ts';

/** The system lets no file of the child grow beyond this, which looks like a failing disk to SQLite. */
const fileBlocksMax = 4_096;

test('after a commit fails, the outcome is unknown, and the file is reopened, checked and written again', async () => {
  const testStore = await createSqliteTestStore();
  const tenant = newTenant();
  const script = fileURLToPath(new URL('./children/size-limited-writer.ts', import.meta.url));
  const limited = ['-c', `ulimit -f ${fileBlocksMax}; exec "$@"`, 'sh', process.execPath, ...nodeFlags, script];
  const child = spawn('sh', [...limited, testStore.file, tenant], { stdio: ['ignore', 'pipe', 'inherit'] });
  const outcomes = (await text(child.stdout)).trim().split('\n');
  expect(outcomes).toEqual(['small kept', 'large OUTCOME_UNKNOWN', 'huge STORE_UNAVAILABLE', 'next kept']);

  const storage = await testStore.open();
  const ids = await storage.read(createCall(tenant), function* (db) {
    return yield* listIds(db);
  });
  expect(ids.map((row) => row.id)).toEqual(['next', 'small']);
  await storage.close();
  await testStore.remove();
});
