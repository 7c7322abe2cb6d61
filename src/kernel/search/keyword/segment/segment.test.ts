import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchDocument } from '../../collection.ts';
import { documentArbitrary, documentsArbitrary } from '../../documents.fixture.ts';
import { createStemmer } from '../../stemmer.ts';
import { buildSegment } from './build-segment.ts';
import { ListCursor } from './list-cursor.ts';
import { mergeSegments } from './merge-segments.ts';
import { runAtOnce } from './run-in-slices.ts';
import { createBits, findDoc, idAt, type Segment, setBit, wordsOf } from './segment.ts';
import { decodeSegment, encodedBytes, encodeSegment } from './segment-bytes.ts';

const fields = ['id', 'title', 'body'];
const stemOf = createStemmer();
const build = (documents: readonly SearchDocument[]): Segment => runAtOnce(buildSegment(fields, documents, stemOf));
const toBytes = (segment: Segment, chunkBytes = 1 << 30): Buffer =>
  Buffer.concat([...encodeSegment(segment, chunkBytes)]);

test('a merge is byte-identical to indexing the live documents together', () => {
  const generations = fc.array(documentsArbitrary(8), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(generations, fc.uniqueArray(documentArbitrary.map(({ id }) => id)), (steps, removed) => {
      const living = new Map<string, SearchDocument>();
      for (const step of steps) for (const document of step) living.set(document.id, document);
      for (const id of removed) living.delete(id);
      const inputs = steps.map((step) => {
        const segment = build(step);
        const dead = createBits(segment.docCount);
        for (let doc = 0; doc < segment.docCount; doc += 1) {
          const id = idAt(segment, doc);
          if (!step.includes(living.get(id)!)) setBit(dead, doc);
        }
        return { segment, dead };
      });
      const merged = runAtOnce(mergeSegments(fields, inputs));
      expect(toBytes(merged).equals(toBytes(build([...living.values()])))).toBe(true);
    }),
  );
});

test('a segment survives encoding in chunks of any size', () => {
  fc.assert(
    fc.property(documentsArbitrary(10), fc.integer({ min: 1, max: 700 }), (documents, chunkBytes) => {
      const segment = build(documents);
      const chunks = [...encodeSegment(segment, chunkBytes)];
      const bytes = Buffer.concat(chunks);
      expect(bytes.length).toBe(encodedBytes(segment));
      expect(chunks.slice(0, -1).every((chunk) => chunk.length === chunkBytes)).toBe(true);
      const back = decodeSegment(new Uint8Array(bytes));
      expect(back).toEqual({ ...segment, byteCount: bytes.length });
    }),
  );
});

test('rejects bytes of another format or version', () => {
  const bytes = new Uint8Array(toBytes(build([{ id: 'a', fields: { body: 'words' } }])));
  expect(decodeSegment(bytes)).toBeDefined();
  expect(decodeSegment(bytes.slice(0, 12))).toBeUndefined();
  const other = bytes.slice();
  other[0]! ^= 1;
  expect(decodeSegment(other)).toBeUndefined();
  const newer = bytes.slice();
  newer[4]! += 1;
  expect(decodeSegment(newer)).toBeUndefined();
});

test('numbers documents by id in code-unit order and finds them by id', () => {
  const ids = ['b', '𝒳', '\ue000', 'a', 'B', 'ä'];
  const segment = build(ids.map((id) => ({ id, fields: {} })));
  expect(ids.map((_, doc) => idAt(segment, doc))).toEqual(ids.toSorted());
  for (const id of ids) expect(idAt(segment, findDoc(segment, id))).toBe(id);
  expect(findDoc(segment, 'c')).toBe(-1);
});

test('keeps all positions of a word that occurs more often than a row can count', () => {
  const segment = build([{ id: 'a', fields: { body: 'hooks hook '.repeat(400) } }]);
  const stem = [...Array(segment.stems.count).keys()].find((i) => wordsOf(segment, i).includes('hook'))!;
  const cursor = new ListCursor(segment, stem, segment.stemLists[stem]!);
  expect(cursor.advance()).toBe(true);
  expect(cursor.count).toBe(800);
  const found: [number, string][] = [];
  for (let i = 0; i < cursor.count; i += 1) {
    cursor.step();
    found.push([cursor.position, wordsOf(segment, stem)[cursor.form]!]);
  }
  expect(found[799]).toEqual([799, 'hook']);
  expect(found[798]).toEqual([798, 'hooks']);
  expect(cursor.advance()).toBe(false);
});

test('a merge drops a field that the collection no longer has, and leaves a new one empty', () => {
  const segment = build([{ id: 'a', fields: { title: 'old', body: 'text' } }]);
  const merged = runAtOnce(mergeSegments(['body', 'notes'], [{ segment, dead: undefined }]));
  expect(merged.fields).toEqual(['body', 'notes']);
  expect(merged.stems.count).toBe(1);
  expect(merged.lengths.map((lengths) => [...lengths])).toEqual([[1], [0]]);
});
