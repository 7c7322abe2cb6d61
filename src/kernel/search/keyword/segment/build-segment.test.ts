import { expect, test } from 'vitest';
import { inByteOrder } from './build-segment.ts';
import { compareByBytes } from './dictionary.ts';
import { runAtOnce } from './run-in-slices.ts';

/** In no order, with texts that differ only in wide characters. */
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ text: `${((i * 7919) % count).toString(36)}${i % 3 === 0 ? 'é' : ''}` }));

test.each([0, 1, 4_096, 4_097, 50_001])('orders %i items by their bytes', (count) => {
  const items = itemsOf(count);
  const ordered = [...runAtOnce(inByteOrder(items))].map((number) => items[number]!.text);
  expect(ordered).toEqual(items.map(({ text }) => text).toSorted(compareByBytes));
});

test('can be interrupted while it orders many items', () => {
  const work = inByteOrder(itemsOf(50_001));
  let pauses = 0;
  while (work.next().done !== true) pauses += 1;
  expect(pauses).toBeGreaterThan(50_001 / 4_096);
});
