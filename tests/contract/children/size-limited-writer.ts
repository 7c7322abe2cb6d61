/**
 * Makes a small write, two that exceed the file size limit, and a small one again, and prints the outcome of each. A
 * write that fits the page cache meets the limit at the commit, a larger one while it runs.
 */

import { toTenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { createCall } from '../storage/call.ts';
import { putItem } from '../storage/tables.ts';
import { openStore } from './open-store.ts';

const [at = '', tenant = ''] = process.argv.slice(2);
const storage = await openStore(at);

for (const [id, chars] of [
  ['small', 100],
  ['large', 3_000_000],
  ['huge', 8_000_000],
  ['next', 100],
] as const) {
  const outcome = await storage
    .write(createCall(toTenantId(tenant)), function* (db) {
      yield* putItem(db, { id, document: 'x'.repeat(chars) });
      yield* db.changed('item', id, 'create', 'h');
    })
    .then(
      () => 'kept',
      (error: unknown) => (error instanceof Fault ? error.code : String(error)),
    );
  process.stdout.write(`${id} ${outcome}\n`);
}
await storage.close();
