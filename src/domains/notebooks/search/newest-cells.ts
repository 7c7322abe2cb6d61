import type { Call } from '#kernel/call.ts';
import type { HybridAnswer } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { toDocumentKey } from './document-source.ts';
import { cellDocumentId, notebookDocuments } from './notebook-documents.ts';
import { type DatedCell, listCellDates } from './notebook-search-store.ts';

interface Deps {
  readonly storage: Storage;
  readonly index: SearchIndex;
}

export interface NewestCells {
  readonly answer: HybridAnswer;
  /** There are more than can be put in order. */
  readonly isPartial: boolean;
}

const isBehind = (hit: HitKey, after: HitKey | undefined): boolean =>
  after === undefined || hit.score < after.score || (hit.score === after.score && hit.id > after.id);

/** The cells that pass the filters, those that changed last first. Their score is the time. */
export async function findNewestCells(
  { storage, index }: Deps,
  call: Call,
  { filters, limit, after }: { readonly filters: readonly FacetFilter[]; readonly limit: number; after?: HitKey },
): Promise<NewestCells> {
  const { datedCellsCount, datedTogetherCount } = notebookLimits;
  const matching = await index.matching(call, notebookDocuments, filters);
  const cells = matching.ids(datedCellsCount).flatMap((id) => {
    const { scratchId, cellId } = toDocumentKey(id);
    return cellId === undefined ? [] : [[scratchId, cellId] as const];
  });
  const dated: DatedCell[] = [];
  for (let at = 0; at < cells.length; at += datedTogetherCount) {
    const some = cells.slice(at, at + datedTogetherCount);
    dated.push(...(await storage.read(call, (db) => listCellDates(db, some))));
  }
  const sorted = dated
    .map(({ scratch_id, cell_id, updated_at }) => ({
      score: updated_at,
      id: cellDocumentId(scratch_id, cell_id),
    }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const behind = sorted.filter((hit) => isBehind(hit, after));
  const page = behind.slice(0, limit);
  const answer: HybridAnswer = {
    hits: page.map(({ id }) => ({
      ...{ id, score: 1, relevance: 1 },
      ...{ keyword: undefined, semantic: undefined, isPending: false },
    })),
    total: sorted.length,
    next: behind.length > page.length ? page.at(-1) : undefined,
    embedder: null,
    mode: 'words',
    hints: [],
    leftOutCount: 0,
    excerpt: (text) => text,
  };
  return { answer, isPartial: matching.count > datedCellsCount };
}
