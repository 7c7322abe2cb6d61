import type { SearchDocument } from '#kernel/search/collection.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { parseTags, uniteTags } from '../pads/rules/tags.ts';
import { toPlace } from './document-ids.ts';
import { cellDocumentId, toCellDocument, toPadDocument } from './documents.ts';
import { findCellBeginnings, findPads } from './notebook-search-store.ts';

/** A document with what an answer says of where it stands. */
export interface LoadedDocument {
  readonly document: SearchDocument<'title' | 'text'>;
  readonly scratchId: string;
  readonly cellId: string | null;
  readonly namespace: string | null;
  /** Of the pad, and of the cell. */
  readonly tags: readonly string[];
}

/** Those that are there; what was deleted meanwhile is left out. */
export function* loadDocuments(db: Reader, ids: readonly string[]): Work<ReadonlyMap<string, LoadedDocument>> {
  const found = new Map<string, LoadedDocument>();
  if (ids.length === 0) return found;
  const places = ids.map(toPlace);
  const pads = yield* findPads(db, [...new Set(places.map(({ scratchId }) => scratchId))]);
  const byId = new Map(pads.map((pad) => [pad.scratch_id, pad]));
  const byKey = new Map(pads.map((pad) => [pad.pad_key, pad]));
  const keys = places.flatMap(({ scratchId, cellId }) => {
    const pad = byId.get(scratchId);
    return pad === undefined || cellId === undefined ? [] : [{ pad_key: pad.pad_key, cell_id: cellId }];
  });
  const cells = keys.length === 0 ? [] : yield* findCellBeginnings(db, keys, notebookLimits.documentChars);
  for (const { scratchId, cellId } of places) {
    const pad = cellId === undefined ? byId.get(scratchId) : undefined;
    if (pad === undefined) continue;
    const { namespace } = pad;
    found.set(scratchId, {
      document: toPadDocument(pad),
      scratchId,
      cellId: null,
      namespace,
      tags: parseTags(pad.tags),
    });
  }
  for (const cell of cells) {
    const pad = byKey.get(cell.pad_key)!;
    const { scratch_id: scratchId, namespace } = pad;
    const tags = uniteTags(parseTags(pad.tags), parseTags(cell.tags));
    found.set(cellDocumentId(scratchId, cell.cell_id), {
      document: toCellDocument(pad, cell),
      scratchId,
      cellId: cell.cell_id,
      namespace,
      tags,
    });
  }
  return found;
}
