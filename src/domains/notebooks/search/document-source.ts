import type { Call } from '#kernel/call.ts';
import type { SearchDocument } from '#kernel/search/collection.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch, SemanticSource } from '#kernel/search/semantic/semantic-search.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { parseTags, uniteTags } from '../pads/pad-tags.ts';
import {
  cellDocumentId,
  type NotebookDocument,
  notebookDocuments,
  toCellDocument,
  toPadDocument,
} from './notebook-documents.ts';
import {
  findIndexedCells,
  findIndexedPads,
  findPadSize,
  listCellIdsAfter,
  listCellKeys,
  listPadSizes,
  type PadSize,
} from './notebook-search-store.ts';

/** The ids of pads and cells contain no slash. */
export function toDocumentKey(documentId: string) {
  const slash = documentId.indexOf('/');
  return slash === -1
    ? { scratchId: documentId, cellId: undefined }
    : { scratchId: documentId.slice(0, slash), cellId: documentId.slice(slash + 1) };
}

function* listCellDocumentIds(db: Reader, pad: PadSize, after: string, limit: number): Work<readonly string[]> {
  if (limit <= 0) return [];
  const rows = yield* listCellIdsAfter(db, pad.pad_key, after, limit);
  return rows.map(({ cell_id }) => cellDocumentId(pad.scratch_id, cell_id));
}

/** The leading pads that fit into a page with all their cells. */
function takeWhole(pads: readonly PadSize[], pageCount: number): readonly PadSize[] {
  let used = 0;
  const tooMany = pads.findIndex(({ cell_count }) => {
    used += 1 + cell_count;
    return used > pageCount;
  });
  return tooMany === -1 ? pads : pads.slice(0, tooMany);
}

function* listIdsOfPads(db: Reader, pads: readonly PadSize[]): Work<readonly string[]> {
  const keys = yield* listCellKeys(
    db,
    pads.map(({ pad_key }) => pad_key),
  );
  const byPad = Map.groupBy(keys, ({ pad_key }) => pad_key);
  return pads.flatMap(({ scratch_id, pad_key }) => {
    const cells = (byPad.get(pad_key) ?? []).map(({ cell_id }) => cellDocumentId(scratch_id, cell_id));
    return [scratch_id, ...cells.sort((a, b) => (a < b ? -1 : 1))];
  });
}

/** One page of all documents, sorted by id: each pad, then its cells. Takes a few statements, however small the pads are. */
export function* listDocumentIds(db: Reader, after: string | undefined, limit: number): Work<readonly string[]> {
  const ids: string[] = [];
  const { scratchId, cellId } = toDocumentKey(after ?? '');
  const current = after === undefined ? undefined : yield* findPadSize(db, scratchId);
  if (current !== undefined) ids.push(...(yield* listCellDocumentIds(db, current, cellId ?? '', limit)));
  const leftCount = limit - ids.length;
  if (leftCount <= 0) return ids;
  const pads = yield* listPadSizes(db, scratchId, leftCount);
  const whole = takeWhole(pads, leftCount);
  if (whole.length > 0) return [...ids, ...(yield* listIdsOfPads(db, whole))];
  const [first] = pads;
  if (first === undefined) return ids;
  return [...ids, first.scratch_id, ...(yield* listCellDocumentIds(db, first, '', leftCount - 1))];
}

interface LoadedDocument {
  readonly document: NotebookDocument;
  readonly scratchId: string;
  readonly cellId: string | null;
  readonly namespace: string | null;
  /** Of the pad. */
  readonly title: string | null;
  /** Of the pad and the cell. */
  readonly tags: readonly string[];
}

/** In the order of the ids; deleted documents are left out. */
export function* loadDocuments(db: Reader, ids: readonly string[]): Work<ReadonlyMap<string, LoadedDocument>> {
  const found = new Map<string, LoadedDocument>();
  if (ids.length === 0) return found;
  const documentKeys = ids.map(toDocumentKey);
  const pads = yield* findIndexedPads(db, [...new Set(documentKeys.map(({ scratchId }) => scratchId))]);
  const padsById = new Map(pads.map((pad) => [pad.scratch_id, pad]));
  const cellKeys = documentKeys.flatMap(({ scratchId, cellId }) => {
    const pad = padsById.get(scratchId);
    return pad === undefined || cellId === undefined ? [] : [{ pad_key: pad.pad_key, cell_id: cellId }];
  });
  const cells = cellKeys.length === 0 ? [] : yield* findIndexedCells(db, cellKeys);
  const cellsByKey = new Map(cells.map((cell) => [`${cell.pad_key}/${cell.cell_id}`, cell]));
  for (const { scratchId, cellId } of documentKeys) {
    const pad = padsById.get(scratchId);
    if (pad === undefined) continue;
    const { namespace, title } = pad;
    const padTags = parseTags(pad.tags);
    const cell = cellId === undefined ? undefined : cellsByKey.get(`${pad.pad_key}/${cellId}`);
    if (cellId === undefined) {
      found.set(scratchId, { document: toPadDocument(pad), scratchId, cellId: null, namespace, title, tags: padTags });
    } else if (cell !== undefined) {
      const tags = uniteTags(padTags, parseTags(cell.tags));
      const document = toCellDocument(pad, cell);
      found.set(document.id, { document, scratchId, cellId, namespace, title, tags });
    }
  }
  return found;
}

export interface DocumentSourceDeps {
  readonly storage: Storage;
  readonly search: Pick<SearchIndex, 'provide'>;
  readonly meaning: Pick<SemanticSearch, 'provide'>;
}

/** The text that is embedded; excerpts of semantic hits refer to it. */
export const embeddedText = ({ fields }: NotebookDocument): string =>
  [fields.title, fields.text].filter((text) => text !== undefined && text !== '').join('\n');

async function* loadInBatches(storage: Storage, call: Call, ids: readonly string[]): AsyncGenerator<NotebookDocument> {
  const { readDocumentsCount } = notebookLimits;
  for (let at = 0; at < ids.length; at += readDocumentsCount) {
    const loaded = await storage.read(call, (db) => loadDocuments(db, ids.slice(at, at + readDocumentsCount)));
    for (const { document } of loaded.values()) yield document;
  }
}

/** All documents of a tenant; concurrent writes update the index themselves. */
async function* loadAll(storage: Storage, call: Call): AsyncGenerator<SearchDocument> {
  let ids: readonly string[] = [];
  do {
    const after = ids.at(-1);
    ids = await storage.read(call, (db) => listDocumentIds(db, after, notebookLimits.listedIdsCount));
    yield* loadInBatches(storage, call, ids);
  } while (ids.length > 0);
}

const toMeaningSource = (storage: Storage): SemanticSource => ({
  keepsTokens: true,
  async texts(call, ids) {
    const texts = new Map<string, { text: string; facets?: NonNullable<SearchDocument['facets']> }>();
    for await (const document of loadInBatches(storage, call, ids)) {
      const { id, facets } = document;
      texts.set(id, { text: embeddedText(document), ...(facets === undefined ? {} : { facets }) });
    }
    return texts;
  },
  ids: (call, after, limit) => storage.read(call, (db) => listDocumentIds(db, after, limit)),
});

export function provideDocuments({ storage, search, meaning }: DocumentSourceDeps): void {
  search.provide(notebookDocuments, (call) => loadAll(storage, call));
  meaning.provide(notebookDocuments, toMeaningSource(storage));
}
