import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTags, parseTags, sharesTag, uniteTags } from './pad-tags.ts';

const tags = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });

test('[NB3] unites tags without duplicates, in the order of first appearance', () => {
  expect(uniteTags(['b', 'a', 'b'], undefined, ['c', 'a'])).toEqual(['b', 'a', 'c']);
  fc.assert(
    fc.property(tags, tags, (one, two) => {
      const united = uniteTags(one, two);
      const all: readonly string[] = [...one, ...two];
      expect(new Set(united)).toEqual(new Set(all));
      expect(united).toHaveLength(new Set(all).size);
      const places = united.map((tag) => all.indexOf(tag));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }),
  );
});

test('[NB22] the difference of two lists leads from one to the other', () => {
  fc.assert(
    fc.property(tags.map(uniteTagsOf), tags.map(uniteTagsOf), (before, after) => {
      const { added, removed } = compareTags(before, after);
      const gone = new Set(removed);
      expect([...before.filter((tag) => !gone.has(tag)), ...added].sort()).toEqual([...after].sort());
      expect(added.some((tag) => before.includes(tag))).toBe(false);
    }),
  );
});

function uniteTagsOf(list: readonly string[]): readonly string[] {
  return uniteTags(list);
}

test('parses tags and finds a shared one', () => {
  expect(parseTags('[]')).toEqual([]);
  expect(parseTags('["a","b"]')).toEqual(['a', 'b']);
  expect(sharesTag(['a', 'b'], new Set(['b']))).toBe(true);
  expect(sharesTag(['a', 'b'], new Set(['c']))).toBe(false);
});
