import { BestScores } from '../../best-scores.ts';
import type { Facets } from '../../collection.ts';
import type { FacetFilter } from '../../keyword/query/filter.ts';
import { searchLimits } from '../../search-limits.ts';
import type { VectorHit, VectorQuery } from '../../vectors.ts';
import { type Arena, type Block, rowsPerBlock } from './arena.ts';
import { decodeFacets, matchesFacets } from './facet-match.ts';
import { type QuantisedRow, quantiseQuery } from './quantise.ts';

/** The vectors of one model in one collection of one tenant, in memory. */
export interface VectorTable {
  put(id: string, facets: string, rows: readonly QuantisedRow[]): void;
  remove(id: string): void;
  nearest(query: Pick<VectorQuery, 'vector' | 'limit' | 'filters' | 'similarityMin'>): readonly VectorHit[];
  has(id: string): boolean;
  readonly documentCount: number;
  byteCount(): number;
  /** Frees the memory; the table must not be used afterwards. */
  clear(): void;
}

interface Document {
  readonly id: string;
  readonly rows: readonly number[];
  /** Index into the distinct facets of the table. */
  readonly facets: number;
}

const nothing = -1;

/** The products of a query with the first rows of a block. */
interface ScannedBlock {
  /** The number of its first row. */
  readonly first: number;
  readonly products: Int32Array;
  readonly end: number;
  /** Of the query. */
  readonly scale: number;
  /** A row must score above this. */
  readonly lowest: number;
  readonly isAllowed: Uint8Array | undefined;
}

export function createVectorTable(arena: Arena, dimension: number): VectorTable {
  const width = Math.ceil(dimension / 16) * 16;
  const perBlock = rowsPerBlock(width);
  const blocks: Block[] = [];
  const byId = new Map<string, number>();
  const documents: (Document | undefined)[] = [];
  const freeDocuments: number[] = [];
  const freeRows: number[] = [];
  /** Per row: its document and its scale. */
  let owners = new Int32Array(0);
  let scales = new Float32Array(0);
  let rowCount = 0;
  const facetPlaces = new Map<string, number>();
  const facets: { readonly text: string; readonly values: Facets; count: number }[] = [];
  const freeFacets: number[] = [];

  function takeRow(): number {
    const free = freeRows.pop();
    if (free !== undefined) return free;
    if (rowCount === blocks.length * perBlock) blocks.push(arena.take());
    if (rowCount === owners.length) {
      const size = Math.max(perBlock, rowCount * 2);
      const [oldOwners, oldScales] = [owners, scales];
      owners = new Int32Array(size).fill(nothing);
      owners.set(oldOwners);
      scales = new Float32Array(size);
      scales.set(oldScales);
    }
    rowCount += 1;
    return rowCount - 1;
  }

  function shareFacets(text: string): number {
    let place = facetPlaces.get(text);
    if (place === undefined) {
      place = freeFacets.pop() ?? facets.length;
      facets[place] = { text, values: decodeFacets(text), count: 0 };
      facetPlaces.set(text, place);
    }
    facets[place]!.count += 1;
    return place;
  }

  function leaveFacets(place: number): void {
    const shared = facets[place]!;
    shared.count -= 1;
    if (shared.count > 0) return;
    facetPlaces.delete(shared.text);
    freeFacets.push(place);
  }

  function remove(id: string): void {
    const place = byId.get(id);
    if (place === undefined) return;
    const { rows, facets: shared } = documents[place]!;
    for (const row of rows) {
      owners[row] = nothing;
      freeRows.push(row);
    }
    leaveFacets(shared);
    documents[place] = undefined;
    byId.delete(id);
    freeDocuments.push(place);
  }

  /** Per distinct facets: whether they pass. Each combination is checked once. */
  function allowed(filters: readonly FacetFilter[]): Uint8Array | undefined {
    if (filters.length === 0) return undefined;
    const passing = new Uint8Array(facets.length);
    for (let i = 0; i < facets.length; i += 1) {
      const { count, values } = facets[i]!;
      if (count > 0 && matchesFacets(values, filters)) passing[i] = 1;
    }
    return passing;
  }

  function exactly(vector: Float32Array, row: number): number {
    const numbers = arena.get(blocks[Math.floor(row / perBlock)]!, row % perBlock, width);
    let sum = 0;
    for (let i = 0; i < vector.length; i += 1) sum += vector[i]! * numbers[i]!;
    return Math.max(-1, Math.min(1, sum * scales[row]!));
  }

  /** A loop of its own, because V8 gives up the optimised code of a loop that surrounds it after each block. */
  function offerRows(best: BestScores, { first, products, end, scale, lowest, isAllowed }: ScannedBlock): void {
    let least = Math.max(lowest, best.least);
    for (let i = 0; i < end; i += 1) {
      const score = products[i]! * scale * scales[first + i]!;
      if (score <= least) continue;
      const owner = owners[first + i]!;
      if (owner === nothing) continue;
      if (isAllowed !== undefined && isAllowed[documents[owner]!.facets] === 0) continue;
      best.offer(score, first + i);
      least = Math.max(lowest, best.least);
    }
  }

  /** The candidate rows, with some spare because the query was rounded. */
  function candidates(vector: Float32Array, count: number, lowest: number, filters: readonly FacetFilter[]) {
    const isAllowed = allowed(filters);
    const { numbers, scale } = quantiseQuery(vector, width);
    arena.setQuery(numbers);
    const best = new BestScores(count);
    for (const [b, block] of blocks.entries()) {
      const first = b * perBlock;
      const end = Math.min(perBlock, rowCount - first);
      offerRows(best, { first, products: arena.scan(block, end, width), end, scale, lowest, isAllowed });
    }
    return best.numbers;
  }

  /** The best part of each document, exactly. */
  function toHits(vector: Float32Array, rows: readonly number[], similarityMin: number): readonly VectorHit[] {
    const hits = new Map<string, VectorHit>();
    for (const row of rows) {
      const { id, rows: own } = documents[owners[row]!]!;
      const similarity = exactly(vector, row);
      if (similarity < similarityMin) continue;
      const part = own.indexOf(row);
      const known = hits.get(id);
      const isBetter = known === undefined || similarity > known.similarity;
      if (isBetter || (similarity === known.similarity && part < known.part)) hits.set(id, { id, similarity, part });
    }
    return [...hits.values()].sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  }

  return {
    put(id, facetText, rows) {
      remove(id);
      const place = freeDocuments.pop() ?? documents.length;
      const taken = rows.map(({ numbers, scale }) => {
        const row = takeRow();
        arena.set(blocks[Math.floor(row / perBlock)]!, row % perBlock, width, numbers);
        owners[row] = place;
        scales[row] = scale;
        return row;
      });
      documents[place] = { id, rows: taken, facets: shareFacets(facetText) };
      byId.set(id, place);
    },
    remove,
    nearest({ vector, limit, filters = [], similarityMin = -1 }) {
      if (vector.length !== dimension || limit <= 0) return [];
      // One document may own many of the best rows: if too few documents are left, look at more rows.
      for (let count = limit + searchLimits.vectorSpareCount; ; count *= 4) {
        // Rounding the query changes a similarity by far less than this.
        const rows = candidates(vector, count, similarityMin - 0.01, filters);
        const hits = toHits(vector, rows, similarityMin);
        if (hits.length >= limit || rows.length < count) return hits.slice(0, limit);
      }
    },
    has: (id) => byId.has(id),
    get documentCount() {
      return byId.size;
    },
    byteCount: () => blocks.length * searchLimits.vectorBlockBytes + byId.size * searchLimits.vectorDocumentBytes,
    clear() {
      for (const block of blocks) arena.giveBack(block);
      blocks.length = 0;
      rowCount = 0;
    },
  };
}
