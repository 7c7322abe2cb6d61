import { expect, test } from 'vitest';
import { toTenantId } from '../call.ts';
import { limits } from '../limits.ts';
import type { Step } from './port.ts';
import { sql, type Values, values } from './sql.ts';
import { createHandle, type Op } from './transaction-handle.ts';

const handle = () => createHandle({ tenant: toTenantId('t'), tool: 'pads/write' }, () => 1_000, 'write');

test('a step is taken once, and only by the transaction that created it', () => {
  const [one, two] = [handle(), handle()];
  const step = one.run(sql`delete from t`);
  expect(() => two.take(step)).toThrow('another transaction');
  expect(one.take(step)).toMatchObject({ kind: 'run' });
  expect(() => one.take(step)).toThrow('a step twice');
});

test('finish rejects a statement that was never yielded, and names it', () => {
  const db = handle();
  db.get(sql`select a from t where b = ${1}`);
  expect(() => db.finish()).toThrow('select a from t where b = ?');
});

test('records a change only when it is yielded', () => {
  const db = handle();
  const change = db.changed('pad', 'a', 'create', 'h');
  expect(() => db.finish()).toThrow('never yielded');
  expect([...change]).toEqual([]);
  db.finish();
  expect(db.changes).toEqual([{ topic: 'pad', id: 'a', what: 'create', hash: 'h' }]);
});

test('rejects one statement more than the limit, and names the tool', () => {
  const db = handle();
  for (let i = 0; i < limits.writeStatementsCount; i += 1) db.take(db.send(sql`delete from t`));
  expect(() => db.take(db.send(sql`delete from t`))).toThrow('pads/write runs more than 500 statements');
});

test('a read handle may not write', () => {
  expect(createHandle({ tenant: toTenantId('t'), tool: 'x' }, () => 0, 'read').mayWrite).toBe(false);
  expect(handle().mayWrite).toBe(true);
});

const insert = (count: number) => sql`insert into t (a) values ${values(Array.from({ length: count }, (_, i) => [i]))}`;

/** Runs a step as an engine does, with one answer per statement. */
function drive<T>(db: ReturnType<typeof handle>, step: Step<T>, answer: (op: Op) => unknown): T {
  const work = step[Symbol.iterator]();
  let turn = work.next();
  while (!turn.done) turn = work.next(answer(db.take(turn.value)));
  return turn.value;
}

const rowsCountOf = ({ query }: Op): number => (query.args[0] as Values).rows.length;

test('runs many rows as several statements and adds up their counts', () => {
  const db = handle();
  const counts: number[] = [];
  const changed = drive(db, db.run(insert(650)), (op) => {
    counts.push(rowsCountOf(op));
    return rowsCountOf(op);
  });
  expect(counts).toEqual([512, 128, 8, 2]);
  expect(changed).toBe(650);
  db.finish();
});

test('returns the rows of several statements in one list', () => {
  const db = handle();
  const found = drive(db, db.all(insert(10)), (op) => [{ n: rowsCountOf(op) }]);
  expect(found).toEqual([{ n: 8 }, { n: 2 }]);
});

test('runs nothing without rows', () => {
  const db = handle();
  const never = () => expect.unreachable();
  expect(drive(db, db.run(insert(0)), never)).toBe(0);
  expect(drive(db, db.all(insert(0)), never)).toEqual([]);
  db.finish();
});

test('a statement with rows must be yielded, only once, and not by get', () => {
  const db = handle();
  const step = db.run(insert(1));
  expect(() => db.finish()).toThrow('never yielded: insert into t');
  drive(db, step, () => 1);
  db.finish();
  expect(() => drive(db, step, () => 1)).toThrow('yielded twice');
  expect(() => db.get(insert(1))).toThrow('needs run or all');
});
