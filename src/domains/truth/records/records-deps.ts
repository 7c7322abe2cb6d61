import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { TruthDeps } from '../truth-deps.ts';

export interface RecordsDeps extends TruthDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove' | 'provide' | 'search'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget' | 'provide' | 'nearest' | 'nearestTo' | 'waiting'>;
}
