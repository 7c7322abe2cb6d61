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
    for (const value of none) eachDocOf(segment, facetOf(segment, key, value), (doc) => clearBit(allowed, doc));
  }
  return allowed;
}

function keepOnly(allowed: Bits, segment: Segment, key: string, values: readonly string[]): void {
  const wanted = createBits(segment.docCount);
  for (const value of values) {
    const facet = facetOf(segment, key, value);
    const common = facet < 0 ? undefined : commonDocs(segment, facet);
    if (common === undefined) eachDocOf(segment, facet, (doc) => setBit(wanted, doc));
    else for (let i = 0; i < wanted.length; i += 1) wanted[i]! |= common[i]!;
  }
  for (let i = 0; i < allowed.length; i += 1) allowed[i]! &= wanted[i]!;
}

/** A value of this share of the documents is worth remembering, and so many of them. */
const commonShare = 1 / 16;
const commonValuesCount = 16;

/** Documents of common values, by facet: visiting them one by one takes longer than the rest of a search. */
const commonBits = new WeakMap<Segment, Map<number, Bits>>();

/** Undefined for a rare value. A segment never changes. */
function commonDocs(segment: Segment, facet: number): Bits | undefined {
  const count = segment.facetRows[facet + 1]! - segment.facetRows[facet]!;
  if (count < segment.docCount * commonShare) return undefined;
  const known = commonBits.get(segment) ?? new Map<number, Bits>();
  let bits = known.get(facet);
  if (bits === undefined) {
    const found = createBits(segment.docCount);
    eachDocOf(segment, facet, (doc) => setBit(found, doc));
    bits = found;
  }
  // The last used comes last.
  known.delete(facet);
  known.set(facet, bits);
  const [oldest] = known.keys();
  if (known.size > commonValuesCount) known.delete(oldest!);
  commonBits.set(segment, known);
  return bits;
}

/** -1 if no document has the value. */
const facetOf = ({ facets }: Segment, key: string, value: string): number =>
  findWord(facets, toKey(facetKey(key, value)));

function eachDocOf(segment: Segment, facet: number, visit: (doc: number) => void): void {
  if (facet < 0) return;
  for (let i = segment.facetRows[facet]!; i < segment.facetRows[facet + 1]!; i += 1) visit(segment.facetDocs[i]!);
}
