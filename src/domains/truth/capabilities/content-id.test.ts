import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { builtinById, builtinCapabilities } from './builtin-capabilities.ts';
import { capability as capabilitySchema } from './capability.ts';
import { type Body, contentIdOf, normaliseBody } from './content-id.ts';

const invoices = builtinById.get('neotoma:store_invoice:v1')!;
const notes = builtinById.get('neotoma:store_note:v1')!;
const content = (body: Body, part: object = {}) => ({ body, sourceRefs: [], extractorVersion: 'x:v1', ...part });

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const anyBody = fc.dictionary(
  fc.constantFrom('title', 'content', 'tasks', 'other', '__proto__', 'Title'),
  anyJson,
) as fc.Arbitrary<Body>;

/** The same value in another spelling. */
function retell(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return `\t ${value}\n`;
  if (Array.isArray(value)) return value.map((item) => retell(item as Json) as Json).toReversed();
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, retell(item)]),
  );
}

describe('[TR2] the content id of a payload', () => {
  test('hashes the canonical JSON of the parts that R6 lists', () => {
    const body = { invoice_number: ' INV-1 ', amount: 5, vendor_name: 'ACME', memo: 'Never Mind' };
    const answer = {
      capability_id: 'neotoma:store_invoice:v1',
      body: { invoice_number: 'inv-1', amount: 5, vendor_name: 'acme' },
      source_refs: ['a', 'b'],
      extractor_version: 'x:v1',
    };
    expect(contentIdOf(invoices, content(body, { sourceRefs: ['b', 'a'] }))).toBe(
      `payload_${sha256Hex(canonicalJson(answer)).slice(0, 24)}`,
    );
  });

  test('ignores the order of keys and items, surrounding blanks, and unlisted fields', () => {
    fc.assert(
      fc.property(anyBody, anyJson, (body, other) => {
        const retold = { ...(retell(body) as Body), other };
        const isChosen = notes.hash_fields.some((field) => Object.hasOwn(body, field));
        if (isChosen) expect(normaliseBody(notes, retold)).toBe(normaliseBody(notes, body));
      }),
    );
  });

  test('normalises to canonical JSON, and normalising again changes nothing', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const text = normaliseBody(notes, body);
        const parsed = JSON.parse(text) as Body;
        expect(canonicalJson(parsed)).toBe(text);
        expect(normaliseBody(notes, parsed)).toBe(text);
      }),
    );
  });

  test('changes with a listed field, the capability, a source, or the extractor version', () => {
    const body = { title: 'Plan', content: 'a' };
    const ids = [
      contentIdOf(notes, content(body)),
      contentIdOf(notes, content({ ...body, content: 'b' })),
      contentIdOf(notes, content({ ...body, tasks: [] })),
      contentIdOf(notes, content({ ...body, tasks: ['a', 'a'] })),
      contentIdOf(notes, content({ ...body, tasks: ['a'] })),
      contentIdOf({ ...notes, capability_id: 'a:b:v1' }, content(body)),
      contentIdOf(notes, content(body, { sourceRefs: ['p'] })),
      contentIdOf(notes, content(body, { extractorVersion: 'x:v2' })),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^payload_[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  test('[TR29] covers the whole body if it has no listed field, so different bodies stay different payloads', () => {
    expect(normaliseBody(notes, { text: 'A', more: 1 })).toBe('{"more":1,"text":"a"}');
    expect(contentIdOf(notes, content({ text: 'a' }))).not.toBe(contentIdOf(notes, content({ text: 'b' })));
  });
});

test('the built-in capabilities pass the schema for registered ones', () => {
  for (const one of builtinById.values()) expect(capabilitySchema.parse(one)).toEqual(one);
  expect(builtinCapabilities.map(({ capability_id }) => capability_id)).toEqual(
    ['invoice', 'transaction', 'receipt', 'contract', 'note'].map((name) => `neotoma:store_${name}:v1`),
  );
});
