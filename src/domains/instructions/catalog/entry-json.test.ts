import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { instructionEntry } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { etagOf, parseEntry, toEntryText } from './entry-json.ts';

const context = { id: 'a', modifiedAt: Date.UTC(2026, 0, 1), canonicalOff: false };
const now = '2026-01-01T00:00:00.000Z';
const parse = (text: string | Uint8Array) => parseEntry(Buffer.from(text), context);

describe('entry JSON', () => {
  test('[IN3] reads back any entry as it was written', () => {
    const input = fc.record(
      {
        id: fc.constant('a'),
        body: fc.string({ unit: 'grapheme', maxLength: 200 }).filter((body) => body.trim() !== ''),
        title: fc.string({ unit: 'grapheme', maxLength: 50 }),
        priority: fc.integer({ min: 1, max: 100 }),
        tags: fc.array(fc.string({ minLength: 1, maxLength: 10 }), { maxLength: 3 }),
        // JSON.parse creates `__proto__` as an own field; it is dropped.
        extensions: fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
          { maxKeys: 3 },
        ),
      },
      { requiredKeys: ['id', 'body'] },
    );
    fc.assert(
      fc.property(input, (given) => {
        const entry = completeEntry(JSON.parse(JSON.stringify(given)), { now, canonicalOff: false });
        const text = toEntryText(entry);
        expect(text.endsWith('}\n')).toBe(true);
        const { item: kept } = parse(text);
        expect(kept).toEqual({ entry, etag: etagOf(text) });
        expect(toEntryText(kept!.entry)).toBe(text);
      }),
    );
  });

  test('orders keys independently of how the entry was built', () => {
    const entry = completeEntry({ id: 'a', body: 'x' }, { now, canonicalOff: false });
    const turned = Object.fromEntries(Object.entries(entry).toReversed()) as typeof entry;
    expect(toEntryText(turned)).toBe(toEntryText(entry));
  });

  test('[IN3] fills in missing fields, with dates from the file', () => {
    const { item: kept } = parse('{"id":"a","body":"Say why.  \\r\\n","owner":null,"unknown":1}');
    expect(kept?.entry).toMatchObject({ body: 'Say why.', owner: 'unowned', version: '1.0.0', createdAt: now });
    expect(kept?.entry).not.toHaveProperty('unknown');
  });

  test('serves the hash of the body, and keeps a recorded hash that does not match it', () => {
    const kept = parse('{"id":"a","body":"x","sourceHash":"beef"}').item;
    expect(kept).toMatchObject({ entry: { sourceHash: sha256Hex('x') }, recordedHash: 'beef' });
  });

  test('accepts the hash of the body with and without our normal form', () => {
    const body = 'Say why.  \r\n';
    for (const sourceHash of [sha256Hex(body), sha256Hex('Say why.')]) {
      const { item } = parse(JSON.stringify({ id: 'a', body, sourceHash }));
      expect(item?.entry.sourceHash).toBe(sha256Hex('Say why.'));
      expect(item).not.toHaveProperty('recordedHash');
    }
  });

  test('dates an entry without dates validly, whatever time its file claims', () => {
    for (const modifiedAt of [-1e15, -1, 8.64e15]) {
      const { item } = parseEntry(Buffer.from('{"id":"a","body":"x"}'), { id: 'a', modifiedAt, canonicalOff: false });
      expect(instructionEntry.safeParse(item?.entry).success).toBe(true);
    }
  });

  test.each([
    ['', 'the file is empty'],
    ['{"id":"a","bo', 'not valid JSON, or truncated'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'not valid UTF-8'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"id":"b","body":"x"}', 'its id differs from its file name'],
    ['{"id":"a"}', 'body: '],
    ['{"id":"a","body":"x","priority":0}', 'priority: '],
  ])('rejects an invalid document with a reason: %s', (text, problem) => {
    const parsed = parse(text);
    expect(parsed.item).toBeUndefined();
    expect(parsed.problem).toContain(problem);
  });

  test('rejects a file name that is not a valid id', () => {
    expect(parseEntry(Buffer.from('{"id":"A","body":"x"}'), { ...context, id: 'A' }).problem).toContain(
      'not a valid id',
    );
  });
});

test('[IN3] keeps unknown fields as extensions', () => {
  const bytes = Buffer.from(JSON.stringify({ id: 'a', body: 'x', colour: 'red', extensions: { shape: 'round' } }));
  const { item: kept } = parseEntry(bytes, { id: 'a', modifiedAt: 0, canonicalOff: false });
  expect(kept?.entry.extensions).toEqual({ colour: 'red', shape: 'round' });
});
