import type { Call } from '#kernel/call.ts';
import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { withdrawNoted } from '#kernel/search/semantic/purge-vectors.ts';
import type { SemanticSearch, SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import type { EntityIndexing, EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import type { ListCursorDeps } from '../list-cursor.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { findIntactRecords, listEntitiesOfFile, listIds, type RecordRow } from './record-store.ts';
import { type Properties, parseProperties, propertyKeys, toFacets } from './rules/properties.ts';

export interface RecordsDeps extends TruthDeps, EntityIndexingDeps, ListCursorDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove' | 'provide' | 'search'>;
  readonly meaning: Pick<
    SemanticSearch,
    'note' | 'forget' | 'provide' | 'assess' | 'nearest' | 'nearestTo' | 'waiting'
  >;
}

/** All strings in the properties at every depth, in order. */
export function textOfProperties(properties: Properties): string {
  const texts: string[] = [];
  let left: number = truthLimits.recordTextChars;

  function visit(value: unknown): void {
    if (left <= 0) return;
    if (typeof value === 'string') {
      const text = value.slice(0, left).toWellFormed();
      if (text !== '') texts.push(text);
      left -= text.length + 1;
    } else if (value !== null && typeof value === 'object') {
      for (const item of Object.values(value)) visit(item);
    }
  }

  visit(properties);
  return texts.join('\n');
}

export const recordDocuments = defineCollection({ name: 'records', fields: { type: 1, text: 1 }, idWeight: 0 });

export type RecordDocument = SearchDocument<'type' | 'text'>;
type IndexedRecord = Pick<RecordRow, 'record_id' | 'type' | 'properties'>;

function toRecordDocument({ record_id, type, properties }: IndexedRecord): RecordDocument {
  const parsed = parseProperties(properties);
  return {
    id: record_id,
    fields: { type, text: textOfProperties(parsed) },
    facets: toFacets(type, propertyKeys(parsed)),
  };
}

const meaningText = ({ fields }: RecordDocument): string =>
  [fields.type, fields.text].filter((text) => text !== undefined && text !== '').join('\n');

export interface RecordDocumentsDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget'>;
  readonly entityDocuments?: Pick<EntityIndexing, 'reindex'> | undefined;
}

export type RecordDocuments = ReturnType<typeof createRecordDocuments>;

/** Updates the search indexes in the transaction that changes the record. */
export const createRecordDocuments = ({ search, meaning, entityDocuments }: RecordDocumentsDeps) => ({
  /** [TR80] An entity is found by the text of its file, which is in the record. */
  *reindexEntities(db: Writer, recordId: string): Work<void> {
    if (entityDocuments === undefined) return;
    const rows = yield* listEntitiesOfFile(db, recordId);
    yield* entityDocuments.reindex(db, [...new Set(rows.map(({ entity_id }) => entity_id))]);
  },
  *put(db: Writer, row: IndexedRecord): Work<void> {
    yield* meaning.note(db, recordDocuments, row.record_id);
    yield* search.put(db, recordDocuments, toRecordDocument(row));
  },
  *drop(db: Writer, id: string): Work<void> {
    yield* meaning.forget(db, recordDocuments, id);
    yield* search.remove(db, recordDocuments, id);
  },
  /** For good: the id leaves the list of documents that are to be embedded, too. */
  *erase(db: Writer, id: string): Work<void> {
    yield* meaning.forget(db, recordDocuments, id);
    yield* withdrawNoted(db, recordDocuments.name, new Set([id]));
    yield* search.remove(db, recordDocuments, id);
  },
});

export interface ProvideDeps {
  readonly storage: Storage;
  readonly search: Pick<SearchIndex, 'provide'>;
  readonly meaning: Pick<SemanticSearch, 'provide'>;
}

/** In small batches, because a record may be large. */
async function* loadDocuments(storage: Storage, call: Call, ids: readonly string[]): AsyncGenerator<RecordDocument> {
  const { rebuildRecordsCount: readRecordsCount } = truthLimits;
  for (let at = 0; at < ids.length; at += readRecordsCount) {
    const some = ids.slice(at, at + readRecordsCount);
    const rows = await storage.read(call, (db) => findIntactRecords(db, some));
    for (const row of rows) yield toRecordDocument(row);
  }
}

async function listRecordIds(
  storage: Storage,
  call: Call,
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  const rows = await storage.read(call, (db) => listIds(db, after ?? '', limit));
  return rows.map(({ record_id }) => record_id);
}

async function* allDocuments(storage: Storage, call: Call): AsyncGenerator<RecordDocument> {
  let after: string | undefined;
  for (;;) {
    const ids = await listRecordIds(storage, call, after, truthLimits.listedRecordsCount);
    if (ids.length === 0) return;
    yield* loadDocuments(storage, call, ids);
    after = ids.at(-1);
  }
}

export function provideDocuments({ storage, search, meaning }: ProvideDeps): void {
  search.provide(recordDocuments, (call) => allDocuments(storage, call));
  meaning.provide(recordDocuments, {
    async texts(call, ids) {
      const texts = new Map<string, SemanticText>();
      for await (const document of loadDocuments(storage, call, ids)) {
        const { id, facets } = document;
        texts.set(id, { text: meaningText(document), ...(facets === undefined ? {} : { facets }) });
      }
      return texts;
    },
    ids: (call, after, limit) => listRecordIds(storage, call, after, limit),
  });
}
