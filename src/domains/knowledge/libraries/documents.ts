import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { type KnowledgeDocument, knowledgeDocuments, sectionId, toDocument } from '../search/collection.ts';
import type { Edition } from './library-names.ts';
import type { PageRow, SectionRow } from './library-store.ts';

export interface DocumentsDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget'>;
}

export const parseBreadcrumb = (text: string): readonly string[] => JSON.parse(text) as readonly string[];

type FoundSection = Pick<SectionRow, 'path' | 'anchor' | 'title' | 'breadcrumb' | 'body'>;

export const toSectionDocument = (
  { library, version }: Edition,
  { category }: Pick<PageRow, 'category'>,
  { path, anchor, title, breadcrumb, body }: FoundSection,
): KnowledgeDocument =>
  toDocument(sectionId(library, version, path, anchor), {
    ...{ library, version, category, title },
    breadcrumb: parseBreadcrumb(breadcrumb),
    text: body,
  });

/** Keeps the documents in step with the sections, in the transaction of whoever changes them. */
export interface Documents {
  put(db: Writer, documents: readonly KnowledgeDocument[]): Work<void>;
  drop(db: Writer, ids: readonly string[]): Work<void>;
}

export const createDocuments = ({ search, meaning }: DocumentsDeps): Documents => ({
  *put(db, documents) {
    if (documents.length === 0) return;
    yield* meaning.note(db, knowledgeDocuments, ...documents.map(({ id }) => id));
    yield* search.put(db, knowledgeDocuments, ...documents);
  },
  *drop(db, ids) {
    if (ids.length === 0) return;
    yield* meaning.forget(db, knowledgeDocuments, ...ids);
    yield* search.remove(db, knowledgeDocuments, ...ids);
  },
});
