import type { Call } from '#kernel/call.ts';
import type { SearchDocument } from '#kernel/search/collection.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch, SemanticSource } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { listDocumentIds } from './document-ids.ts';
import { notebookDocuments } from './documents.ts';
import { loadDocuments } from './load-documents.ts';

export interface ProvideDeps {
  readonly storage: Storage;
  readonly search: Pick<SearchIndex, 'provide'>;
  readonly meaning: Pick<SemanticSearch, 'provide'>;
}

/** What of a document has a meaning; the same text again when a hit shows the part that was nearest. */
export const meaningText = ({ fields }: SearchDocument<'title' | 'text'>): string =>
  [fields.title, fields.text].filter((text) => text !== undefined && text !== '').join('\n');

/** Every document of a tenant, a few at a time: what is written meanwhile is told to the index by its writer. */
async function* allDocuments(storage: Storage, call: Call): AsyncGenerator<SearchDocument> {
  const { listedIdsCount, readDocumentsCount } = notebookLimits;
  let after: string | undefined;
  for (;;) {
    const place = after;
    const ids = await storage.read(call, (db) => listDocumentIds(db, place, listedIdsCount));
    if (ids.length === 0) return;
    for (let at = 0; at < ids.length; at += readDocumentsCount) {
      const some = ids.slice(at, at + readDocumentsCount);
      const loaded = await storage.read(call, (db) => loadDocuments(db, some));
      for (const id of some) {
        const found = loaded.get(id);
        if (found !== undefined) yield found.document;
      }
    }
    after = ids.at(-1);
  }
}

const toMeaningSource = (storage: Storage): SemanticSource => ({
  async texts(call, ids) {
    const { readDocumentsCount } = notebookLimits;
    const texts = new Map<string, { text: string; facets?: NonNullable<SearchDocument['facets']> }>();
    for (let at = 0; at < ids.length; at += readDocumentsCount) {
      const loaded = await storage.read(call, (db) => loadDocuments(db, ids.slice(at, at + readDocumentsCount)));
      for (const [id, { document }] of loaded) {
        const { facets } = document;
        texts.set(id, { text: meaningText(document), ...(facets === undefined ? {} : { facets }) });
      }
    }
    return texts;
  },
  ids: (call, after, limit) => storage.read(call, (db) => listDocumentIds(db, after, limit)),
});

/** Tells both indexes where the documents of this memory come from. */
export function provideDocuments({ storage, search, meaning }: ProvideDeps): void {
  search.provide(notebookDocuments, (call) => allDocuments(storage, call));
  meaning.provide(notebookDocuments, toMeaningSource(storage));
}
