/**
 * Uses that the storage port forbids. The compiler reads this file; it is never run. A line that becomes legal is an
 * error.
 */
import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';

declare const storage: Storage;
declare const call: Call;

const insert = sql`insert into t (id) values (${'a'})`;

// @ts-expect-error a transaction cannot be async
void storage.write(call, async function* (db) {
  yield* db.run(insert);
  await Promise.resolve();
});

// @ts-expect-error a transaction cannot be a promise
void storage.read(call, async () => 1);

void storage.read(call, function* (db) {
  // @ts-expect-error a reader cannot write
  yield* db.run(insert);
});

void storage.read(call, function* (db) {
  // @ts-expect-error a reader cannot record changes
  yield* db.changed('pad', 'a', 'create', 'h');
});

void storage.write(call, function* (db) {
  yield* db.run(insert);
  // @ts-expect-error a step is not a value: use yield*
  const count: number = db.run(insert);
  return count;
});

void storage.write(call, function* (db) {
  // @ts-expect-error only create, update and delete exist
  yield* db.changed('pad', 'a', 'moved', 'h');
});

// @ts-expect-error an arbitrary object cannot be bound
void sql`select ${new Date()}`;

// @ts-expect-error a plain string cannot be used as a tenant
void storage.version('somebody', 'pad');

void function* wrongRow(db: Reader): Work<string> {
  const row = yield* db.get(sql<{ n: number }>`select n from t`);
  // @ts-expect-error a row may be undefined, and its column is a number
  return row.n;
};
