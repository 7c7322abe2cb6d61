import type { Call } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { instructionTopic } from '../words.ts';
import { deleteSeen, putSeen } from './catalog-store.ts';
import type { PreparedChange } from './entry-source.ts';
import { type Indexes, tellIndexes } from './tell-indexes.ts';

/** A change and the text of what it replaces. */
export interface RecordedChange extends PreparedChange {
  readonly documentBefore: string | undefined;
}

const kindOf = ({ before, after }: PreparedChange) =>
  before === null ? 'create' : after === null ? 'delete' : 'update';

/** What goes with a change wherever entries are kept: archive, audit trail, and last of all the indexes. */
export function* recordChanges(
  db: Writer,
  call: Call,
  indexes: Indexes,
  changes: readonly RecordedChange[],
): Work<void> {
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
  yield* tellIndexes(db, indexes, { put, removed });
}
