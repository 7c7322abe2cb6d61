import type { Call } from '#kernel/call.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { recordVersions } from '../history/version-store.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { deleteSeen, putSeen } from './catalog-store.ts';
import type { PreparedChange } from './entry-source.ts';
import { instructionDocuments, toDocument } from './search-documents.ts';

/** The indexes that are updated in the transaction of every change. */
export interface SearchIndexes {
  readonly search: SearchIndex;
  readonly semantic: SemanticSearch;
}

interface IndexUpdate {
  readonly put: readonly InstructionEntry[];
  readonly removed: readonly string[];
  /** The keyword index is up to date already. */
  readonly isIndexed?: boolean;
}

export function* updateIndexes(db: Writer, { search, semantic }: SearchIndexes, changes: IndexUpdate): Work<void> {
  const { put, removed, isIndexed = false } = changes;
  yield* semantic.note(db, instructionDocuments, ...put.map(({ id }) => id));
  yield* semantic.forget(db, instructionDocuments, ...removed);
  if (isIndexed) return;
  if (put.length > 0) yield* search.put(db, instructionDocuments, ...put.map(toDocument));
  if (removed.length > 0) yield* search.remove(db, instructionDocuments, ...removed);
}

export interface RecordedChange extends PreparedChange {
  readonly documentBefore: string | undefined;
}

const kindOf = ({ before, after }: PreparedChange) =>
  before === null ? 'create' : after === null ? 'delete' : 'update';

/** The line that the change added to the change log. */
function reasonOf(entry: InstructionEntry | undefined): string | undefined {
  const last = entry?.changeLog.at(-1);
  return last?.changedAt === entry?.updatedAt ? last?.summary : undefined;
}

/** What every change needs besides storing the entry: archive, audit trail, and then the indexes. */
export function* recordChanges(
  db: Writer,
  call: Call,
  indexes: SearchIndexes,
  changes: readonly RecordedChange[],
): Work<void> {
  yield* recordVersions(
    db,
    call,
    changes.map((change) => ({
      id: change.id,
      what: kindOf(change),
      etag: change.after?.etag ?? change.before ?? '',
      document: change.after?.text ?? null,
      documentBefore: change.documentBefore,
      reason: reasonOf(change.after?.entry),
    })),
  );
  for (const change of changes) {
    const { id, before, after, documentBefore, fromArchive } = change;
    if (fromArchive) yield* takeFromTrash(db, instructionTopic, id);
    if (after === null) {
      if (documentBefore !== undefined) yield* putInTrash(db, instructionTopic, id, documentBefore, call.actor);
      yield* deleteSeen(db, id);
    } else yield* putSeen(db, id, after.etag);
    yield* db.changed(instructionTopic, id, kindOf(change), after?.etag ?? before ?? '');
  }
  const put = changes.flatMap(({ after }) => (after === null ? [] : [after.entry]));
  const removed = changes.filter(({ after }) => after === null).map(({ id }) => id);
  yield* updateIndexes(db, indexes, { put, removed });
}
