import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './stdio-lines.ts';

function split(chunks: readonly Buffer[], maxBytes = 1_000): readonly string[] {
  const seen: string[] = [];
  const splitter = createLineSplitter(maxBytes, {
    line: (bytes) => void seen.push(bytes.toString('utf8')),
    oversized: () => void seen.push('<oversized>'),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
}

test('yields the same lines however the bytes are split, even inside a character', () => {
  const line = fc
    .string({ unit: 'binary' })
    .filter((text) => text.isWellFormed() && !text.includes('\n') && text !== '');
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(), { maxLength: 8 }), (lines, places) => {
      expect(split(cut(Buffer.from(lines.join('\n')), places))).toEqual(lines);
    }),
  );
});

test('reports a line over the limit once and reads the next line', () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 80 }), fc.array(fc.nat(), { maxLength: 8 }), (length, places) => {
      const bytes = Buffer.from(`before\n${'x'.repeat(length)}\nafter\n`);
      expect(split(cut(bytes, places), 10)).toEqual(['before', '<oversized>', 'after']);
    }),
  );
});

test('accepts a line of exactly the limit', () => {
  expect(split([Buffer.from('0123456789\n')], 10)).toEqual(['0123456789']);
});

test('accepts a last line without a newline, and reports an oversized one once', () => {
  expect(split([Buffer.from('one\ntwo')])).toEqual(['one', 'two']);
  expect(split([Buffer.from('x'.repeat(20)), Buffer.from('y'.repeat(20))], 10)).toEqual(['<oversized>']);
});
