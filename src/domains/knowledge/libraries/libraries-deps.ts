import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { KnowledgeDeps } from '../knowledge-deps.ts';
import type { Documents } from './documents.ts';

export interface LibrariesDeps extends KnowledgeDeps {
  readonly cursors: Cursors;
  readonly search: Pick<SearchIndex, 'put' | 'remove' | 'provide' | 'maintain'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget' | 'provide'>;
}

/** What the parts of this room share. */
export interface LibraryParts extends LibrariesDeps {
  readonly documents: Documents;
}
