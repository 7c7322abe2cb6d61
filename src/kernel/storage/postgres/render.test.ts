import { expect, test } from 'vitest';
import { allOf, list, sql } from '../sql.ts';
import { postgresLimits } from './postgres-limits.ts';
import { createRenderer } from './render.ts';

test('numbers parameters in order and passes the values separately', () => {
  const render = createRenderer();
  const { text, values } = render(sql`select a from t where b = ${1} and c = ${'x'} and d is ${null}`);
  expect(text).toBe('select a from t where b = $1 and c = $2 and d is $3');
  expect(values).toEqual([1, 'x', null]);
});

test('a list gets its type from the column before it', () => {
  const render = createRenderer();
  expect(
    render(sql`delete from t where id in ${list(['a', 'b'])} and n NOT  IN ${list([1])} or x = ${2}`),
  ).toMatchObject({
    text: 'delete from t where id = any ($1) and n <> all ($2) or x = $3',
    values: [['a', 'b'], [1], 2],
  });
});

test('does not take a column name that ends in "in" for the operator', () => {
  expect(() => createRenderer()(sql`select origin ${list(['a'])}`)).toThrow('must follow "in"');
});

test('names each template literal once', () => {
  const render = createRenderer();
  const one = (id: string) => sql`select 1 where 'a' = ${id}`;
  const first = render(one('a'));
  expect(render(one('b')).name).toBe(first.name);
  expect(render(sql`select 2`).name).not.toBe(first.name);
});

test('names a composed query by its text', () => {
  const render = createRenderer();
  const compose = (n: number) => allOf([sql`a = ${n}`, sql`b = ${n}`]);
  const first = render(compose(1));
  expect(first.text).toBe('(a = $1) and (b = $2)');
  expect(render(compose(2)).name).toBe(first.name);
});

test('leaves composed queries beyond the limit unnamed, so that connections do not fill up', () => {
  const render = createRenderer();
  for (let i = 0; i < postgresLimits.composedStatementsCount; i += 1) {
    expect(render({ parts: [`select ${i}`], args: [] }).name).toBeDefined();
  }
  expect(render({ parts: ['select -1'], args: [] }).name).toBeUndefined();
  expect(render({ parts: ['select 0'], args: [] }).name).toBeDefined();
});
