import { findWord, toKey } from '../segment/dictionary.ts';
import { type Bits, clearBit, createBits, facetKey, type Segment, setBit } from '../segment/segment.ts';
import type { Part } from './part.ts';

/** A condition on one facet. All conditions must hold. */
export interface FacetFilter {
  readonly key: string;
  /** At least one of these values. An empty list matches nothing. */
  readonly any?: readonly string[];
  readonly all?: readonly string[];
  readonly none?: readonly string[];
}

/** The documents that pass; undefined if all do. */
export function allowedDocs(part: Part, filters: readonly FacetFilter[]): Bits | undefined {
  if (filters.length === 0 && part.dead === undefined) return undefined;
  const known = part.cache?.allowed.get(filters);
  if (known !== undefined) return known;
  const allowed = findAllowed(part, filters);
  part.cache?.allowed.set(filters, allowed);
  return allowed;
}

function findAllowed({ segment, dead }: Part, filters: readonly FacetFilter[]): Bits {
  const allowed = createBits(segment.docCount).fill(255);
  if (dead !== undefined) for (let i = 0; i < dead.length; i += 1) allowed[i]! &= ~dead[i]!;
  for (const { key, any, all = [], none = [] } of filters) {
    if (any !== undefined) keepOnly(allowed, segment, key, any);
    for (const value of all) keepOnly(allowed, segment, key, [value]);
    for (const value of none) eachDoc(segment, key, value, (doc) => clearBit(allowed, doc));
  }
  return allowed;
}

function keepOnly(allowed: Bits, segment: Segment, key: string, values: readonly string[]): void {
  const wanted = createBits(segment.docCount);
  for (const value of values) eachDoc(segment, key, value, (doc) => setBit(wanted, doc));
  for (let i = 0; i < allowed.length; i += 1) allowed[i]! &= wanted[i]!;
}

function eachDoc(segment: Segment, key: string, value: string, visit: (doc: number) => void): void {
  const facet = findWord(segment.facets, toKey(facetKey(key, value)));
  if (facet < 0) return;
  for (let i = segment.facetRows[facet]!; i < segment.facetRows[facet + 1]!; i += 1) visit(segment.facetDocs[i]!);
}
