import type { Log } from '#kernel/log/log.ts';
import type { Facets } from '#kernel/search/collection.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { matchesFacets } from '#kernel/search/semantic/vectors/facet-match.ts';
import type { VectorHit } from '#kernel/search/vectors.ts';
import { type BaseSection, toBaseDocument } from './base-sections.ts';
import { hashText, readVectorsFile, textToEmbed, type VectorsFile } from './vectors-file.ts';

export interface NearestQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly similarityMin: number;
}

export type BaseVectorHit = Pick<VectorHit, 'id' | 'similarity'>;

export interface BaseVectors {
  readonly model: string;
  has(id: string): boolean;
  /** Undefined if no entry matches the filters. Sorted by similarity, then by id. */
  searchWithin(filters: readonly FacetFilter[]): ((query: NearestQuery) => readonly BaseVectorHit[]) | undefined;
}

interface VectorRow {
  readonly id: string;
  readonly numbers: Int8Array;
  /** Normalises the numbers to length 1. */
  readonly scale: number;
  readonly facets: Facets;
}

function toRow(section: BaseSection, base64: string, dimension: number): VectorRow | undefined {
  const numbers = new Int8Array(Buffer.from(base64, 'base64'));
  const squares = numbers.reduce((sum, number) => sum + number * number, 0);
  if (numbers.length !== dimension || squares === 0) return undefined;
  return { id: section.id, numbers, scale: 1 / Math.sqrt(squares), facets: toBaseDocument(section).facets ?? {} };
}

function similarityOf({ numbers, scale }: VectorRow, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i += 1) sum += numbers[i]! * vector[i]!;
  return sum * scale;
}

/** Skips vectors whose entry changed since they were computed. */
function toRows(files: readonly VectorsFile[], sections: ReadonlyMap<string, BaseSection>): readonly VectorRow[] {
  const rows = new Map<string, VectorRow>();
  for (const { dimension, entries } of files) {
    for (const [id, [hash, base64]] of Object.entries(entries)) {
      const section = sections.get(id);
      if (section === undefined || hashText(textToEmbed(section)) !== hash) continue;
      const row = toRow(section, base64, dimension);
      if (row !== undefined) rows.set(id, row);
    }
  }
  return [...rows.values()];
}

/** Undefined without vectors. Files of another model than the first file's are ignored. */
export function createBaseVectors(
  files: readonly VectorsFile[],
  sections: ReadonlyMap<string, BaseSection>,
): BaseVectors | undefined {
  const [first] = files;
  if (first === undefined) return undefined;
  const { model, dimension } = first;
  const isAlike = (file: VectorsFile) => file.model === model && file.dimension === dimension;
  const rows = toRows(files.filter(isAlike), sections);
  const ids = new Set(rows.map(({ id }) => id));
  /** Keyed by identity: most queries share the same filter arrays. */
  const known = new WeakMap<readonly FacetFilter[], readonly VectorRow[]>();

  function allowedBy(filters: readonly FacetFilter[]): readonly VectorRow[] {
    const before = known.get(filters);
    if (before !== undefined) return before;
    const allowed = rows.filter(({ facets }) => matchesFacets(facets, filters));
    known.set(filters, allowed);
    return allowed;
  }

  return {
    model,
    has: (id) => ids.has(id),
    searchWithin(filters) {
      const allowed = allowedBy(filters);
      if (allowed.length === 0) return undefined;
      return ({ vector, limit, similarityMin }) =>
        vector.length !== dimension
          ? []
          : allowed
              .map((row) => ({ id: row.id, similarity: similarityOf(row, vector) }))
              .filter(({ similarity }) => similarity >= similarityMin)
              .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
              .slice(0, limit);
    },
  };
}

/** Logs a damaged file and skips it: keyword search still finds its entries. */
export function readVectors(directories: readonly string[], log: Log): readonly VectorsFile[] {
  const files: VectorsFile[] = [];
  for (const directory of directories) {
    try {
      const file = readVectorsFile(directory);
      if (file !== undefined) files.push(file);
    } catch (error) {
      log.warn(
        { directory, reason: (error as Error).message },
        'the vectors of a knowledge base cannot be read; only keyword search finds its entries',
      );
    }
  }
  return files;
}
