import type { Call } from '#kernel/call.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch, SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { meaningText, type RecordDocument, recordDocuments, toRecordDocument } from './documents.ts';
import { findRecords, listIds } from './record-store.ts';

export interface ProvideDeps {
  readonly storage: Storage;
  readonly search: Pick<SearchIndex, 'provide'>;
  readonly meaning: Pick<SemanticSearch, 'provide'>;
}

/** Those that are there, a few at a time: one may be large. */
async function* loadDocuments(storage: Storage, call: Call, ids: readonly string[]): AsyncGenerator<RecordDocument> {
  const { readRecordsCount } = truthLimits;
  for (let at = 0; at < ids.length; at += readRecordsCount) {
    const some = ids.slice(at, at + readRecordsCount);
    const rows = await storage.read(call, function* (db) {
      return yield* findRecords(db, some);
    });
    for (const row of rows) yield toRecordDocument(row);
  }
}

async function listRecordIds(
  storage: Storage,
  call: Call,
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  const rows = await storage.read(call, function* (db) {
    return yield* listIds(db, after ?? '', limit);
  });
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

/** Tells both indexes where the documents of records come from. */
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
