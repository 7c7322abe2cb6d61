import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allOf, checkArg, flatten, isList, list, type Sql, splitBeforeList, sql } from './sql.ts';

const show = (query: Sql) => {
  const { parts, args } = flatten(query);
  return { text: parts.join('?'), args };
};

test('a query without pieces comes back as it is, so that its place stays its key', () => {
  const query = sql`select ${1}`;
  expect(flatten(query).parts).toBe(query.parts);
});

test('one place in the source has the same parts each time', () => {
  const at = (n: number) => sql`select ${n}`;
  expect(at(1).parts).toBe(at(2).parts);
  expect(Object.isFrozen(at(1).parts)).toBe(true);
});

test('pieces are put into the text around them, at the edges too', () => {
  const inner = sql`b = ${2}`;
  expect(show(sql`${sql`a = ${1}`} and ${inner}`)).toEqual({ text: 'a = ? and b = ?', args: [1, 2] });
  expect(show(sql`(${sql`(${inner})`}) or c = ${3}`)).toEqual({ text: '((b = ?)) or c = ?', args: [2, 3] });
  expect(show(sql`x ${sql`y`}${sql`z`} w`)).toEqual({ text: 'x yz w', args: [] });
});

test('all of no conditions is true', () => {
  expect(show(allOf([])).text).toBe('1 = 1');
  expect(show(allOf([sql`a or b`, sql`c = ${1}`]))).toEqual({ text: '(a or b) and (c = ?)', args: [1] });
});

test('however pieces are nested, values keep the order of their places', () => {
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

test('only a list is a list', () => {
  expect([list(['a']), null, 'a', Buffer.from('a')].map(isList)).toEqual([true, false, false, false]);
});

test('numbers that both engines keep pass, others do not', () => {
  for (const kept of [0, -0, 1.5, -1e-300, Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n, 'x', null]) checkArg(kept);
  for (const lost of [2 ** 53, 1e300, Number.NaN, -Infinity, 2n ** 53n, list([1, 2 ** 53])]) {
    expect(() => checkArg(lost)).toThrow('no store keeps');
  }
});

test('what stands before a list is "in" or "not in"', () => {
  expect(splitBeforeList('where a in ')).toEqual({ before: 'where a ', isNegated: false });
  expect(splitBeforeList('where a NOT\n in')).toEqual({ before: 'where a ', isNegated: true });
  for (const part of ['where a = ', 'select begin', 'where a in (', ''])
    expect(() => splitBeforeList(part)).toThrow('only behind "in"');
});
