import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allOf,
  checkArg,
  flatten,
  isList,
  list,
  type Sql,
  splitBeforeList,
  splitValues,
  sql,
  type Values,
  values,
} from './sql.ts';

const show = (query: Sql) => {
  const { parts, args } = flatten(query);
  return { text: parts.join('?'), args };
};

test('returns a query without fragments as it is, so that its template object stays the cache key', () => {
  const query = sql`select ${1}`;
  expect(flatten(query).parts).toBe(query.parts);
});

test('one place in the source has the same parts each time', () => {
  const at = (n: number) => sql`select ${n}`;
  expect(at(1).parts).toBe(at(2).parts);
  expect(Object.isFrozen(at(1).parts)).toBe(true);
});

test('inserts fragments into the text around them, also at the edges', () => {
  const inner = sql`b = ${2}`;
  expect(show(sql`${sql`a = ${1}`} and ${inner}`)).toEqual({ text: 'a = ? and b = ?', args: [1, 2] });
  expect(show(sql`(${sql`(${inner})`}) or c = ${3}`)).toEqual({ text: '((b = ?)) or c = ?', args: [2, 3] });
  expect(show(sql`x ${sql`y`}${sql`z`} w`)).toEqual({ text: 'x yz w', args: [] });
});

test('merges a place with constant fragments once, and other fragments there as usual', () => {
  const columns = sql`a, b`;
  const at = (first: Sql | number, second: Sql | number) => sql`select ${first} from t where c = ${second}`;
  const { parts, args } = flatten(at(columns, 1));
  expect(Object.isFrozen(parts)).toBe(true);
  expect({ parts, args }).toEqual({ parts: ['select a, b from t where c = ', ''], args: [1] });
  expect(flatten(at(columns, 2))).toEqual({ parts, args: [2] });
  expect(flatten(at(columns, 2)).parts).toBe(parts);
  expect(show(at(sql`d`, 3))).toEqual({ text: 'select d from t where c = ?', args: [3] });
  expect(show(at(4, columns))).toEqual({ text: 'select ? from t where c = a, b', args: [4] });
  expect(show(at(5, 6))).toEqual({ text: 'select ? from t where c = ?', args: [5, 6] });
  expect(show(at(sql`e + ${7}`, 8))).toEqual({ text: 'select e + ? from t where c = ?', args: [7, 8] });
});

test('allOf without conditions is true', () => {
  expect(show(allOf([])).text).toBe('1 = 1');
  expect(show(allOf([sql`a or b`, sql`c = ${1}`]))).toEqual({ text: '(a or b) and (c = ?)', args: [1] });
});

test('keeps the order of values however fragments are nested', () => {
  const leaf = fc.integer().map((n): Sql => sql`n = ${n}`);
  const { tree } = fc.letrec<{ tree: Sql }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }).map(allOf),
      fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => sql`${a} or ${b}`),
    ),
  }));
  const numbers = (query: Sql): unknown[] =>
    query.args.flatMap((arg) => (typeof arg === 'object' && arg !== null && 'parts' in arg ? numbers(arg) : [arg]));
  fc.assert(
    fc.property(tree, (query) => {
      const { parts, args } = flatten(query);
      expect(parts).toHaveLength(args.length + 1);
      expect(args).toEqual(numbers(query));
    }),
  );
});

test('recognises only a list as a list', () => {
  expect([list(['a']), null, 'a', Buffer.from('a')].map(isList)).toEqual([true, false, false, false]);
});

test('accepts numbers that both engines store exactly, and no others', () => {
  for (const kept of [0, -0, 1.5, -1e-300, Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n, 'x', null]) checkArg(kept);
  for (const lost of [2 ** 53, 1e300, Number.NaN, -Infinity, 2n ** 53n, list([1, 2 ** 53])]) {
    expect(() => checkArg(lost)).toThrow('cannot be stored exactly');
  }
});

test('requires "in" or "not in" before a list', () => {
  expect(splitBeforeList('where a in ')).toEqual({ before: 'where a ', isNegated: false });
  expect(splitBeforeList('where a NOT\n in')).toEqual({ before: 'where a ', isNegated: true });
  for (const part of ['where a = ', 'select begin', 'where a in (', ''])
    expect(() => splitBeforeList(part)).toThrow('must follow "in"');
});

const rowsOf = (count: number, width = 2) =>
  Array.from({ length: count }, (_, i) => Array.from({ length: width }, () => i));
const insert = (rows: readonly (readonly number[])[]) =>
  sql`insert into t (a, b) values ${values(rows)} returning ${'x'}`;

test('renders rows as tuples in the text around them', () => {
  expect(
    show(
      insert([
        [1, 2],
        [3, 4],
      ]),
    ),
  ).toEqual({
    text: 'insert into t (a, b) values (?, ?), (?, ?) returning ?',
    args: [1, 2, 3, 4, 'x'],
  });
});

test('has one frozen text per number of rows for each place in the source', () => {
  const parts = (count: number) => flatten(insert(rowsOf(count))).parts;
  expect(parts(3)).toBe(parts(3));
  expect(parts(3)).not.toBe(parts(4));
  expect(Object.isFrozen(parts(3))).toBe(true);
  expect(flatten(insert(rowsOf(3, 3))).parts).toHaveLength(3 * 3 + 2);
});

test('merges rows next to a fragment as well', () => {
  expect(show(sql`insert into ${sql`t`} values ${values([[1], [2]])}`)).toEqual({
    text: 'insert into t values (?), (?)',
    args: [1, 2],
  });
});

test('splits rows without loss or reordering, into few sizes, below the limits of the engines', () => {
  const sizes = new Set<number>();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 40 }), (count, width) => {
      const parts = [...splitValues(insert(rowsOf(count, width)))].map(({ args }) => (args[0] as Values).rows);
      expect(parts.flat()).toEqual(rowsOf(count, width));
      for (const part of parts) {
        sizes.add(part.length);
        expect(part.length * width).toBeLessThanOrEqual(8_192);
      }
    }),
  );
  expect(sizes.size).toBeLessThanOrEqual(11);
});

test('needs no statement without rows, and accepts rows of any width', () => {
  expect([...splitValues(insert([]))]).toEqual([]);
  expect([...splitValues(insert(rowsOf(3, 9_000)))]).toHaveLength(3);
});

test('rejects rows of different lengths, and rows in a fragment', () => {
  expect(() => [...splitValues(insert([[1, 2], [3]]))]).toThrow('differ in length');
  expect(() => flatten(sql`${sql`insert into t values ${values([[1]])}`} returning a`)).toThrow(
    'must not be in a fragment',
  );
});
