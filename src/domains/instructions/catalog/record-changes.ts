import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { recordVersions } from '../history/version-store.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { closeProposal } from '../proposals/proposal-store.ts';
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

const findOpenFix =
  'instructions/proposals {"state": "all"} shows who decided it; without state it lists the open ones.';

function* closeApproved(db: Writer, { actor }: Call, { id, proposal }: PreparedChange): Work<void> {
  if (proposal === undefined) return;
  const { proposalId, decision } = proposal;
  const isClosed = yield* closeProposal(db, proposalId, { state: 'approved', by: actor, reason: decision });
  if (!isClosed)
    throw faults.CONFLICT(
      { why: `the proposal ${proposalId} is not open any more` },
      { id, proposalId, fix: findOpenFix },
    );
}

/** How the history names a change. */
export const versionEtag = ({ before, after }: PreparedChange): string => after?.etag ?? before ?? '';

/**
 * What every change needs besides storing the entry: archive, audit trail, and then the indexes. Returns the numbers of
 * the new versions.
 */
export function* recordChanges(
  db: Writer,
  call: Call,
  indexes: SearchIndexes,
  changes: readonly RecordedChange[],
): Work<ReadonlyMap<string, number>> {
  for (const change of changes) yield* closeApproved(db, call, change);
  const numbers = yield* recordVersions(
    db,
    call,
    changes.map((change) => ({
      id: change.id,
      what: kindOf(change),
      etag: versionEtag(change),
      document: change.after?.text ?? null,
      documentBefore: change.documentBefore,
      reason: change.proposal?.reason ?? reasonOf(change.after?.entry),
      approval: change.proposal,
    })),
  );
  for (const change of changes) {
    const { id, after, documentBefore, fromArchive } = change;
    if (fromArchive) yield* takeFromTrash(db, instructionTopic, id);
    if (after === null) {
      if (documentBefore !== undefined) yield* putInTrash(db, instructionTopic, id, documentBefore, call.actor);
      yield* deleteSeen(db, id);
    } else yield* putSeen(db, id, after.etag);
    yield* db.changed(instructionTopic, id, kindOf(change), versionEtag(change));
  }
  const put = changes.flatMap(({ after }) => (after === null ? [] : [after.entry]));
  const removed = changes.filter(({ after }) => after === null).map(({ id }) => id);
  yield* updateIndexes(db, indexes, { put, removed });
  return numbers;
}
