import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { matchesFacets } from '#kernel/search/semantic/vectors/facet-match.ts';
import { truthLimits } from '../../truth-limits.ts';
import { parseTrashedRecord, printTrashedRecord } from '../record.ts';
import { textOfProperties } from '../record-documents.ts';
import { cosine, decodeVector, encodeVector, toVector } from './embedding.ts';
import {
  checkProperties,
  embeddingKey,
  numbersCountOf,
  printProperties,
  propertyKey,
  propertyKeys,
  toFacetFilters,
  toFacets,
} from './properties.ts';

const json = fc.jsonValue({ maxDepth: 3 });
const properties = fc.dictionary(fc.string(), json, { maxKeys: 6 });

test('a property key depends on name and value, not on the order of nested keys', () => {
  fc.assert(
    fc.property(fc.string(), json, (name, value) => {
      const again = JSON.parse(canonicalJson(value)) as unknown;
      expect(propertyKey(name, again)).toBe(propertyKey(name, value));
    }),
  );
  expect(propertyKey('a', 1)).not.toBe(propertyKey('a', '1'));
  expect(propertyKey('a', ['b'])).not.toBe(propertyKey('ab', []));
  expect(propertyKey('a', null)).not.toBe(propertyKey('a', 'null'));
});

test('facet filters match every record with the requested properties', () => {
  fc.assert(
    fc.property(properties, fc.nat(), fc.boolean(), (given, pick, isWide) => {
      const filler = isWide ? Array.from({ length: truthLimits.facetsCount }, (_, i) => propertyKey('x', i)) : [];
      const keys = propertyKeys(checkProperties(given));
      const asked = keys.filter((_, i) => (pick >> i) % 2 === 1);
      const facets = toFacets('bill', [...keys, ...filler]);
      expect(matchesFacets(facets, toFacetFilters('bill', asked))).toBe(true);
      expect(matchesFacets(facets, toFacetFilters('memo', asked))).toBe(false);
    }),
  );
});

test('facet filters match few other records', () => {
  const facets = toFacets('bill', [propertyKey('a', 1), propertyKey('b', 2)]);
  const passed = Array.from({ length: 1_000 }, (_, i) => propertyKey('c', i)).filter((key) =>
    matchesFacets(facets, toFacetFilters(undefined, [key])),
  );
  expect(passed.length).toBeLessThan(10);
});

test('the key of an embedding contains its size and never equals a property key', () => {
  expect(numbersCountOf(embeddingKey(384))).toBe(384);
  expect(propertyKey('a', 1)).toMatch(/^[0-9a-f]{32}$/);
});

test('stores vectors unchanged in 32 bits', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (numbers) => {
      const odd = new Uint8Array([0, ...encodeVector(Float32Array.from(numbers))]).subarray(1);
      expect([...decodeVector(odd)]).toEqual([...Float32Array.from(numbers)]);
    }),
  );
  expect(cosine(Float32Array.of(1, 2), Float32Array.of(2, 4))).toBeCloseTo(1, 12);
  expect(() => toVector([1e39], 'embedding')).toThrow('32 bits');
  expect(() => toVector([1e-60, 0], 'embedding')).toThrow('no direction');
});

test('limits the depth, number and size of properties, and nothing else', () => {
  const nested = (levels: number): Record<string, unknown> =>
    JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  expect(checkProperties(nested(truthLimits.propertiesDepth))).toBeDefined();
  expect(() => checkProperties(nested(truthLimits.propertiesDepth + 1))).toThrow('deeper');
  expect(() => checkProperties({ a: [[Number.NaN]] })).toThrow('finite');
  expect(() => printProperties({ a: 'ä'.repeat(truthLimits.propertiesBytes / 2) })).toThrow('bytes');
  fc.assert(
    fc.property(properties, (given) => {
      expect(JSON.parse(printProperties(checkProperties(given)))).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

test('the text of a record contains its strings, limited and without split surrogate pairs', () => {
  expect(textOfProperties({ a: 'one', b: [2, { c: 'three' }], d: null, e: '' })).toBe('one\nthree');
  const long = textOfProperties({ a: '𝒳'.repeat(truthLimits.recordTextChars), b: 'end' });
  expect(long.length).toBeLessThanOrEqual(truthLimits.recordTextChars);
  expect(long.isWellFormed()).toBe(true);
  expect(textOfProperties({ a: 'x'.repeat(truthLimits.recordTextChars - 1), b: '𝒳' }).isWellFormed()).toBe(true);
});

test('restores a record from the trash unchanged', () => {
  const row = {
    record_id: 'r',
    type: 'a',
    created_at: 1,
    updated_at: 2,
    file_urls: '["x"]',
    properties: '{"__proto__":1}',
    embedding: encodeVector(Float32Array.of(1, 2)),
  };
  const back = parseTrashedRecord('r', printTrashedRecord(row));
  expect({ ...back, embedding: [...back.embedding!] }).toEqual({ ...row, embedding: [...row.embedding] });
  expect(parseTrashedRecord('r', printTrashedRecord({ ...row, embedding: null })).embedding).toBeNull();
});
