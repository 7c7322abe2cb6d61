import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Facets } from '#kernel/search/collection.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { truthLimits } from '../../truth-limits.ts';

export type Properties = Readonly<Record<string, Json>>;

/** Undefined if a record can hold the value. The outer object is the first level. */
function problemIn(value: unknown, depth: number): string | undefined {
  if (depth > truthLimits.propertiesDepth) return `are nested deeper than ${truthLimits.propertiesDepth} levels`;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'contain a number that is not finite';
  if (value === null || typeof value !== 'object') return undefined;
  for (const item of Object.values(value)) {
    const flaw = problemIn(item, typeof item === 'object' ? depth + 1 : depth);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

const refuse = (why: string) => faults.VALIDATION_ERROR({ why: `properties ${why}` }, { field: 'properties' });

export function checkProperties(given: Readonly<Record<string, unknown>>): Properties {
  const flaw = problemIn(given, 1);
  if (flaw !== undefined) throw refuse(flaw);
  return given as Properties;
}

export function printProperties(properties: Properties): string {
  const { propertiesBytes, propertiesCount } = truthLimits;
  if (Object.keys(properties).length > propertiesCount) throw refuse(`number more than ${propertiesCount}`);
  const text = JSON.stringify(properties);
  if (Buffer.byteLength(text) > propertiesBytes) throw refuse(`are larger than ${propertiesBytes} bytes of JSON`);
  return text;
}

export const parseProperties = (text: string): Properties => JSON.parse(text) as Properties;

/** Merges the top level only. Spreading defines own members, so `__proto__` is an ordinary key. */
export const mergeProperties = (before: Properties, given: Properties): Properties => ({ ...before, ...given });

/** Does not depend on the order of keys. */
const printMember = (name: string, value: unknown): string => canonicalJson([name, value]);

const keyChars = 32;

/** Filters look up this hash of a property and its value. */
export const propertyKey = (name: string, value: unknown): string =>
  sha256Hex(printMember(name, value)).slice(0, keyChars);

export const propertyKeys = (properties: Properties): readonly string[] =>
  Object.entries(properties).map(([name, value]) => propertyKey(name, value));

/** Marks records with an embedding of this size. Cannot collide with a hash. */
export const embeddingKey = (numbersCount: number): string => `embedding:${numbersCount}`;
export const embeddingKeyRange = { from: 'embedding:', before: 'embedding;' } as const;
export const numbersCountOf = (key: string): number => Number(key.slice(embeddingKeyRange.from.length));

/** Few buckets keep the facet index small; hits are checked afterwards. */
const bucketOf = (key: string): string =>
  (Number.parseInt(key.slice(0, 8), 16) % truthLimits.facetBucketsCount).toString(36);

const anyBucket = '*';

export function toFacets(type: string, keys: readonly string[]): Facets {
  if (keys.length > truthLimits.facetsCount) return { type, property: anyBucket };
  return { type, property: [...new Set(keys.map(bucketOf))].sort() };
}

/** Matches every record with this type and these properties, and few others. */
export const toFacetFilters = (type: string | undefined, keys: readonly string[]): readonly FacetFilter[] => [
  ...(type === undefined ? [] : [{ key: 'type', any: [type] }]),
  ...keys.map((key) => ({ key: 'property', any: [bucketOf(key), anyBucket] })),
];
