/**
 * What the port does not let anybody write. The compiler reads this file; nothing runs it. A line below that became legal
 * is an error of its own.
 */
import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';

declare const storage: Storage;
declare const call: Call;

const insert = sql`insert into t (id) values (${'a'})`;

// @ts-expect-error a transaction that can await is none
void storage.write(call, async function* (db) {
  yield* db.run(insert);
  await Promise.resolve();
});

// @ts-expect-error nor is one that is a promise
void storage.read(call, async () => 1);

void storage.read(call, function* (db) {
  // @ts-expect-error a reader does not write
  yield* db.run(insert);
});

void storage.read(call, function* (db) {
  // @ts-expect-error a reader has nothing to tell
  yield* db.changed('pad', 'a', 'create', 'h');
});

void storage.write(call, function* (db) {
  yield* db.run(insert);
  // @ts-expect-error a step is no value: its answer comes by yield*
  const count: number = db.run(insert);
  return count;
});

void storage.write(call, function* (db) {
  // @ts-expect-error there are three kinds of change
  yield* db.changed('pad', 'a', 'moved', 'h');
});

// @ts-expect-error a value is a piece of data, not any object
void sql`select ${new Date()}`;

// @ts-expect-error a tenant comes from a verified credential, not from text
void storage.version('somebody', 'pad');

void function* wrongRow(db: Reader): Work<string> {
  const row = yield* db.get(sql<{ n: number }>`select n from t`);
  // @ts-expect-error a row that may be missing has to be looked at first, and its column is a number
  return row.n;
};
