import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash } from '#kernel/storage/trash.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { addPadsByKey } from '../namespaces/namespace-store.ts';
import { cellDocumentId, type Documents } from '../search/notebook-documents.ts';
import { listCellIds } from './cell-store.ts';
import { addToTotals, type PadRow, takePad } from './pad-store.ts';
import { dropTags, parseTags } from './pad-tags.ts';
import { insertRemoval } from './pad-trash-store.ts';

export const padTopic = 'scratchpad';
export const cellTopic = 'scratchpad-cell';

export type RemovalReason = 'delete' | 'reset' | 'evict' | 'namespace';

/** The trash holds only the row of a pad; its cells and schemas stay in their tables, under its key. */
export interface TrashedPadRow extends Omit<PadRow, 'has_schemas' | 'namespace_key'> {
  readonly reason: RemovalReason;
}

export const restoreTool = 'scratch_restore';

/** The call that brings a pad back. */
export const toPadRestore = (args: {
  readonly scratch_id: string;
  readonly copy: string;
  readonly replace?: true;
}): RestoreCall => ({ tool: restoreTool, arguments: args });

/** Unique for each removal, even if an id is reused within a millisecond. */
export const trashId = (scratchId: string, padKey: string): string => `${scratchId}/${padKey}`;

export const hashOfPad = (pad: Pick<PadRow, 'pad_key' | 'revision'>): string =>
  sha256Hex(`${pad.pad_key}:${pad.revision}`);

/**
 * Moves a pad whose row was just deleted to the trash and updates tags and counts. Returns the ids of its search documents,
 * so that the caller can remove those of several pads together.
 */
export function* trashPad(db: Writer, pad: PadRow, reason: RemovalReason, actor: string): Work<readonly string[]> {
  const { has_schemas: _hasSchemas, namespace_key: _namespaceKey, ...row } = pad;
  const trashed: TrashedPadRow = { ...row, reason };
  yield* putInTrash(db, padTopic, trashId(pad.scratch_id, pad.pad_key), JSON.stringify(trashed), actor);
  yield* insertRemoval(db, pad.pad_key);
  yield* dropTags(db, pad, 'pad', parseTags(pad.tags));
  yield* dropTags(db, pad, 'cell', parseTags(pad.cell_tags));
  if (pad.namespace_key !== '') yield* addPadsByKey(db, pad.namespace_key, -1);
  yield* addToTotals(db, -1, -pad.cell_count);
  if (reason !== 'reset') yield* db.changed(padTopic, pad.scratch_id, 'delete', hashOfPad(pad));
  const cells = pad.cell_count === 0 ? [] : yield* listCellIds(db, pad.pad_key);
  return [pad.scratch_id, ...cells.map(({ cell_id }) => cellDocumentId(pad.scratch_id, cell_id))];
}

/** Returns the ids of the pads that still existed. */
export function* removePads(
  db: Writer,
  scratchIds: readonly string[],
  reason: RemovalReason,
  actor: string,
  documents: Documents,
): Work<readonly string[]> {
  const removed: string[] = [];
  const documentIds: string[] = [];
  for (const scratchId of scratchIds) {
    const pad = yield* takePad(db, scratchId);
    if (pad === undefined) continue;
    documentIds.push(...(yield* trashPad(db, pad, reason, actor)));
    removed.push(scratchId);
  }
  if (documentIds.length > 0) yield* documents.drop(db, documentIds);
  return removed;
}
