import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Topic, Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { deleteOldCopies, listTrashedPads } from './pad-trash-store.ts';

/** The ids of all copies of an item in the trash lie between these two. */
export const firstCopy = (id: string): string => `${id}/`;
export const afterCopies = (id: string): string => `${id}0`;

/** Keeps a copy of what a write replaces or deletes. `version` separates the copies of one millisecond. */
export function* keepFormer(
  db: Writer,
  topic: Topic,
  id: string,
  version: number,
  document: object,
  actor: string,
): Work<void> {
  yield* putInTrash(db, topic, `${firstCopy(id)}${version}`, JSON.stringify(document), actor);
  yield* deleteOldCopies(db, topic, firstCopy(id), afterCopies(id), notebookLimits.formerVersionsCount);
}

/** Takes the newest copy, or that of one version, out of the trash. `what` names the item for the fault. */
export function* takeFormer<Document>(
  db: Writer,
  topic: Topic,
  id: string,
  version: string | undefined,
  what: string,
): Work<Document> {
  const copyId =
    version === undefined
      ? (yield* listTrashedPads(db, topic, firstCopy(id), afterCopies(id), 1))[0]?.id
      : `${firstCopy(id)}${version}`;
  if (copyId === undefined) {
    throw faults.NOT_FOUND({ what: `${what} in the trash` }, { fix: trashFix });
  }
  return JSON.parse((yield* takeFromTrash(db, topic, copyId, trashFix)).document) as Document;
}

export const trashFix =
  'scratch_trash lists the scratchpads that can be restored, scratch_history the former versions of cells; schemas keep their last versions for 30 days.';
