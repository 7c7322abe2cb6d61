import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDistance, editDistance, findMeant, nearest, nearestNames } from './edit-distance.ts';

const boundedDistance = (a: string, b: string, max: number): number => {
  // The word is somewhere in a dictionary.
  const bytes = Buffer.from(`before${b}behind`);
  return createDistance(Buffer.from(a), max)(bytes, 6, bytes.length - 6);
};

test.each([
  ['hook', 'hook', 0],
  ['hoook', 'hook', 1],
  ['hok', 'hook', 1],
  ['hoko', 'hook', 1],
  ['bool', 'hook', 2],
  ['hook', 'service', 3],
])('the distance from %s to %s, looked for up to 2, is %i', (a, b, expected) => {
  expect(boundedDistance(a, b, 2)).toBe(expected);
});

const someWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

/** The definition: computes the whole table. */
function plainDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_row, i) =>
    Array.from({ length: b.length + 1 }, (_cell, j) => i + j),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      table[i]![j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, change, swap);
    }
  }
  return at(a.length, b.length);
}

test('the band gives the same distance as the whole table, up to its maximum', () => {
  fc.assert(
    fc.property(someWord, someWord, fc.integer({ min: 1, max: 3 }), (a, b, max) => {
      expect(boundedDistance(a, b, max)).toBe(Math.min(plainDistance(a, b), max + 1));
    }),
    { numRuns: 1_000 },
  );
});

test('one measure can be reused for many words', () => {
  fc.assert(
    fc.property(someWord, fc.array(someWord, { maxLength: 5 }), (asked, others) => {
      const distanceTo = createDistance(Buffer.from(asked), 2);
      for (const other of others) {
        expect(distanceTo(Buffer.from(other), 0, other.length)).toBe(boundedDistance(asked, other, 2));
      }
    }),
  );
});

test.each([
  ['port', 'port', 0],
  ['prot', 'port', 1],
  ['prt', 'port', 1],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
])('counts the edits from %s to %s', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test('the distance without a maximum is that of the whole table', () => {
  const text = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(editDistance(a, b)).toBe(plainDistance(a, b));
    }),
  );
});

test('prefers a candidate that begins with the word', () => {
  expect(nearest('dash', ['host', 'dashboard'])).toBe('dashboard');
  expect(nearest('x', [])).toBeUndefined();
});

test.each([
  ['scrach_id', ['scratch_id', 'cell_ids'], 'scratch_id'],
  ['querry', ['query', 'limit'], 'query'],
  ['contents', ['content', 'json_schema'], 'content'],
  ['tag', ['tags', 'language'], 'tags'],
  ['meta', ['metadata', 'cells'], 'metadata'],
  ['pyhton', ['py', 'python'], 'python'],
  ['package', ['source', 'pages', 'library'], undefined],
  ['dream', ['rule', 'fact', 'note'], undefined],
  ['dreams', ['instructions', 'truth', 'notebooks', 'knowledge'], undefined],
  ['klingon', ['json', 'go', 'kt', 'c', 'cs'], undefined],
  ['x', ['c', 'h'], undefined],
  ['', ['c', 'h'], undefined],
])('%s in %j means %s', (given, candidates, meant) => {
  expect(findMeant(given, candidates)).toBe(meant);
});

test('finds names with the same words or a few other letters, and none for another word', () => {
  const names = ['scratch_append_cell', 'scratch_list', 'ping', 'tools_find', 'recall'];
  expect(nearestNames('scratch_apend', names, 1)).toEqual(['scratch_append_cell']);
  expect(nearestNames('recal', names, 3)).toEqual(['recall']);
  for (const name of ['nope', '', 'zzz', 'x'.repeat(1_000)]) expect(nearestNames(name, names, 3), name).toEqual([]);
});
