/** Code that the port must reject. Only the compiler reads this file; it reports a line that became legal. */
import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';

declare const storage: Storage;
declare const call: Call;

const insert = sql`insert into t (id) values (${'a'})`;

// @ts-expect-error a transaction must not await
void storage.write(call, async function* (db) {
  yield* db.run(insert);
  await Promise.resolve();
});

// @ts-expect-error a transaction must not be a promise
void storage.read(call, async () => 1);

void storage.read(call, function* (db) {
  // @ts-expect-error a reader must not write
  yield* db.run(insert);
});

void storage.read(call, function* (db) {
  // @ts-expect-error a reader must not record a change
  yield* db.changed('pad', 'a', 'create', 'h');
});

void storage.write(call, function* (db) {
  yield* db.run(insert);
  // @ts-expect-error a step has no value without yield*
  const count: number = db.run(insert);
  return count;
});

void storage.write(call, function* (db) {
  // @ts-expect-error an unknown kind of change
  yield* db.changed('pad', 'a', 'moved', 'h');
});

// @ts-expect-error an object that is not a value, list or fragment
void sql`select ${new Date()}`;

// @ts-expect-error plain text instead of a tenant from a verified credential
void storage.version('somebody', 'pad');

void function* wrongRow(db: Reader): Work<string> {
  const row = yield* db.get(sql<{ n: number }>`select n from t`);
  // @ts-expect-error the row may be undefined, and its column is a number
  return row.n;
};
