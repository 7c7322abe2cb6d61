import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Facets } from '#kernel/search/collection.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type Properties, printMember } from './properties.ts';

const keyChars = 32;

/** What filters look up: one property and its value. */
export const propertyKey = (name: string, value: unknown): string =>
  sha256Hex(printMember(name, value)).slice(0, keyChars);

export const propertyKeys = (properties: Properties): readonly string[] =>
  Object.entries(properties).map(([name, value]) => propertyKey(name, value));

/** Beside the properties: which records brought an embedding of so many numbers. No hash is spelt so. */
export const embeddingKey = (numbersCount: number): string => `embedding:${numbersCount}`;
export const embeddingKeyRange = { from: 'embedding:', before: 'embedding;' } as const;
export const numbersCountOf = (key: string): number => Number(key.slice(embeddingKeyRange.from.length));

/** Few values for many properties, so that an index holds them for next to nothing; what they let through is looked at. */
const bucketOf = (key: string): string =>
  (Number.parseInt(key.slice(0, 8), 16) % truthLimits.facetBucketsCount).toString(36);

const anyBucket = '*';

export function toFacets(type: string, keys: readonly string[]): Facets {
  if (keys.length > truthLimits.facetsCount) return { type, property: anyBucket };
  return { type, property: [...new Set(keys.map(bucketOf))].sort() };
}

/** Lets every record through that has the type and the properties, and few others. */
export const toFacetFilters = (type: string | undefined, keys: readonly string[]): readonly FacetFilter[] => [
  ...(type === undefined ? [] : [{ key: 'type', any: [type] }]),
  ...keys.map((key) => ({ key: 'property', any: [bucketOf(key), anyBucket] })),
];
