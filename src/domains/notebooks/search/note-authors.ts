import { findNewestChanges } from '#kernel/audit/item-changes.ts';
import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { findTransfer } from '../history/history-store.ts';
import type { Transfer } from '../history/record-change.ts';
import { cellTopic } from '../pads/remove-pad.ts';
import { cellDocumentId } from './notebook-documents.ts';
import { findPadAuthors } from './notebook-search-store.ts';

export interface NoteKey {
  readonly scratchId: string;
  /** Undefined for a pad itself. */
  readonly cellId: string | undefined;
}

/**
 * The actor who wrote each note, by the change log: of the last change of the cell, else of the pad's creation. A move to
 * another pad leaves the author as it was. Undefined if the log does not know it.
 */
export function* findNoteAuthors(db: Reader, notes: readonly NoteKey[]): Work<readonly (string | undefined)[]> {
  const idOf = ({ scratchId, cellId }: NoteKey) =>
    cellId === undefined ? undefined : cellDocumentId(scratchId, cellId);
  const cells = notes.flatMap((note) => idOf(note) ?? []).map((id) => ({ topic: cellTopic, id }));
  const everything = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
  const changes = cells.length === 0 ? [] : yield* findNewestChanges(db, cells, everything);
  const pads = yield* findPadAuthors(db, [...new Set(notes.map(({ scratchId }) => scratchId))]);
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  const padOf = new Map(pads.map((pad) => [pad.scratch_id, pad]));
  const authors: (string | undefined)[] = [];
  for (const note of notes) {
    const { scratchId, cellId } = note;
    const pad = padOf.get(scratchId);
    const own = changeOf.get(idOf(note) ?? '');
    // An older change belongs to a cell of the same id before the pad was reset.
    const isOwn = own !== undefined && pad !== undefined && own.at >= pad.created_at;
    if (!isOwn) authors.push(pad?.actor ?? undefined);
    else if (own.tool !== moveTool || cellId === undefined) authors.push(own.actor);
    else authors.push(toAuthor(yield* findTransfer(db, scratchId, cellId)));
  }
  return authors;
}

const moveTool = 'scratch_move_cell';

const toAuthor = (transfer: { readonly metadata: string } | undefined): string | undefined =>
  transfer === undefined ? undefined : (JSON.parse(transfer.metadata) as Transfer).author;

export const createNoteAuthors =
  (storage: Pick<Storage, 'read'>) =>
  (notes: readonly NoteKey[], call: Call): Promise<readonly (string | undefined)[]> =>
    storage.read(call, (db) => findNoteAuthors(db, notes));
