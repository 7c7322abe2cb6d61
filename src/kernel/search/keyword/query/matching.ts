import { type Bits, countBits, hasBit } from '../segment/segment.ts';
import { allowedDocs, type FacetFilter } from './filter.ts';
import { docIn, idIn, type Part } from './part.ts';

/** The documents that pass the filters, without a query. */
export interface MatchingDocuments {
  readonly count: number;
  has(id: string): boolean;
  /** Some of them, in no particular order. */
  ids(limit: number): readonly string[];
}

/** The last byte has bits beyond the last document. */
function countAllowed(allowed: Bits, docCount: number): number {
  const spareCount = allowed.length * 8 - docCount;
  const spare = spareCount === 0 ? 0 : (allowed.at(-1) ?? 0) >>> (8 - spareCount);
  return countBits(allowed) - countBits(Uint8Array.of(spare));
}

/** Counting is cheap; `has` and `ids` look at single documents. */
export function findMatching(parts: readonly Part[], filters: readonly FacetFilter[]): MatchingDocuments {
  const found = parts
    .map((part) => {
      const { docCount } = part.segment;
      const allowed = allowedDocs(part, filters);
      return { part, allowed, count: allowed === undefined ? docCount : countAllowed(allowed, docCount) };
    })
    // To find a document in a part costs more than to count all of them.
    .filter(({ count }) => count > 0);
  const isAllowed = (allowed: Bits | undefined, doc: number) => allowed === undefined || hasBit(allowed, doc);
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    has: (id) =>
      found.some(({ part, allowed }) => {
        const doc = docIn(part, id);
        return doc >= 0 && isAllowed(allowed, doc);
      }),
    ids(limit) {
      const ids: string[] = [];
      for (const { part, allowed } of found) {
        for (let doc = 0; doc < part.segment.docCount && ids.length < limit; doc += 1) {
          // Most filters match few documents: skip eight others together.
          if (allowed !== undefined && allowed[doc >>> 3] === 0) doc |= 7;
          else if (isAllowed(allowed, doc)) ids.push(idIn(part, doc));
        }
      }
      return ids;
    },
  };
}
