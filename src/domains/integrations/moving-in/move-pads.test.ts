import { expect, test } from 'vitest';
import { integrationLimits } from '../integration-limits.ts';
import { toId, toTime } from './memory-item.ts';
import { splitPad } from './move-pads.ts';

const pad = (count: number) => ({
  scratchId: 'chat-1',
  title: 'A long talk',
  cells: Array.from({ length: count }, (_, i) => ({ cellId: `m${i}`, content: `${i}`, source: 'x' })),
});

test('[IG1] a conversation over the limit continues in further scratchpads, without losing a message', () => {
  const { padCellsCount } = integrationLimits;
  expect(splitPad(pad(padCellsCount))).toHaveLength(1);
  const parts = splitPad(pad(padCellsCount * 2 + 1));
  expect(parts.map(({ scratchId, title, cells }) => [scratchId, title, cells.length])).toEqual([
    ['chat-1', 'A long talk (1 of 3)', padCellsCount],
    ['chat-1-2', 'A long talk (2 of 3)', padCellsCount],
    ['chat-1-3', 'A long talk (3 of 3)', 1],
  ]);
  expect(parts.flatMap(({ cells }) => cells)).toEqual(pad(padCellsCount * 2 + 1).cells);
});

test('ids are kept where they can be, and otherwise made from the text, always the same', () => {
  expect(toId('c0ffee-1')).toBe('c0ffee-1');
  expect(toId('a b')).toBe('c8687a08aa5d6ed2044328fa');
  expect(toId('a  b')).not.toBe(toId('a b'));
});

test('times are ISO texts or seconds since 1970', () => {
  expect(toTime(1_767_225_600)).toBe('2026-01-01T00:00:00.000Z');
  expect(toTime('2026-02-01T09:00:00-08:00')).toBe('2026-02-01T17:00:00.000Z');
  expect([toTime(null), toTime('soon'), toTime(1e300)]).toEqual([undefined, undefined, undefined]);
});
