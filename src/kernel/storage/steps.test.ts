import { expect, test } from 'vitest';
import { toTenantId } from '../call.ts';
import { limits } from '../limits.ts';
import { sql } from './sql.ts';
import { createHandle } from './steps.ts';

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
