import { expect, test } from 'vitest';
import { toTenantId } from '../call.ts';
import { limits } from '../limits.ts';
import type { Step } from './port.ts';
import { sql, type Values, values } from './sql.ts';
import { createHandle, type Op } from './transaction-handle.ts';

const handle = () => createHandle({ tenant: toTenantId('t'), tool: 'pads/write' }, 1_000, 'write');

test('a step is taken once, and only by the transaction that made it', () => {
  const [one, two] = [handle(), handle()];
  const step = one.run(sql`delete from t`);
  expect(() => two.take(step)).toThrow('another transaction');
  expect(one.take(step)).toMatchObject({ kind: 'run' });
  expect(() => one.take(step)).toThrow('taken twice');
});

test('what was made and never taken fails the end, with the statement', () => {
  const db = handle();
  db.get(sql`select a from t where b = ${1}`);
  expect(() => db.finish()).toThrow('select a from t where b = ?');
});

test('a change is told only by yielding it', () => {
  const db = handle();
  const told = db.changed('pad', 'a', 'create', 'h');
  expect(() => db.finish()).toThrow('never yielded');
  expect([...told]).toEqual([]);
  db.finish();
  expect(db.changes).toEqual([{ topic: 'pad', id: 'a', what: 'create', hash: 'h' }]);
});

test('the statement after the last allowed one is refused, with the tool', () => {
  const db = handle();
  for (let i = 0; i < limits.writeStatementsCount; i += 1) db.take(db.send(sql`delete from t`));
  expect(() => db.take(db.send(sql`delete from t`))).toThrow('pads/write runs more than 500 statements');
});

test('a read may not write', () => {
  expect(createHandle({ tenant: toTenantId('t'), tool: 'x' }, 0, 'read').mayWrite).toBe(false);
  expect(handle().mayWrite).toBe(true);
});

const insert = (count: number) => sql`insert into t (a) values ${values(Array.from({ length: count }, (_, i) => [i]))}`;

/** Runs a step like an engine does, with one answer for each statement. */
function drive<T>(db: ReturnType<typeof handle>, step: Step<T>, answer: (op: Op) => unknown): T {
  const work = step[Symbol.iterator]();
  let turn = work.next();
  while (!turn.done) turn = work.next(answer(db.take(turn.value)));
  return turn.value;
}

const rowsCountOf = ({ query }: Op): number => (query.args[0] as Values).rows.length;

test('rows run as several statements whose counts are added up', () => {
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

test('the rows that several statements answer come in one list', () => {
  const db = handle();
  const found = drive(db, db.all(insert(10)), (op) => [{ n: rowsCountOf(op) }]);
  expect(found).toEqual([{ n: 8 }, { n: 2 }]);
});

test('without rows nothing runs', () => {
  const db = handle();
  const never = () => expect.unreachable();
  expect(drive(db, db.run(insert(0)), never)).toBe(0);
  expect(drive(db, db.all(insert(0)), never)).toEqual([]);
  db.finish();
});

test('a statement with rows must be yielded, once, and not by get', () => {
  const db = handle();
  const step = db.run(insert(1));
  expect(() => db.finish()).toThrow('never yielded: insert into t');
  drive(db, step, () => 1);
  db.finish();
  expect(() => drive(db, step, () => 1)).toThrow('yielded twice');
  expect(() => db.get(insert(1))).toThrow('needs run or all');
});
