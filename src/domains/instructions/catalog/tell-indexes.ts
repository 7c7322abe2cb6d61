import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionDocuments, toDocument } from './documents.ts';

/** What has to know of every change, in the transaction of the change. */
export interface Indexes {
  readonly search: SearchIndex;
  readonly meaning: SemanticSearch;
}

export interface IndexedChanges {
  readonly put: readonly InstructionEntry[];
  readonly removed: readonly string[];
  /** The index of words knows already. */
  readonly isIndexed?: boolean;
}

export function* tellIndexes(db: Writer, { search, meaning }: Indexes, changes: IndexedChanges): Work<void> {
  const { put, removed, isIndexed = false } = changes;
  yield* meaning.note(db, instructionDocuments, ...put.map(({ id }) => id));
  yield* meaning.forget(db, instructionDocuments, ...removed);
  if (isIndexed) return;
  if (put.length > 0) yield* search.put(db, instructionDocuments, ...put.map(toDocument));
  if (removed.length > 0) yield* search.remove(db, instructionDocuments, ...removed);
}
