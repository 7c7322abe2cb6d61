import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash } from '#kernel/storage/trash.ts';
import { addPadsByKey } from '../../namespaces/namespace-store.ts';
import { cellDocumentId } from '../../search/documents.ts';
import { listCellIds } from '../cell-store.ts';
import { addToTotals, type PadRow } from '../pad-store.ts';
import { parseTags } from '../rules/tags.ts';
import { dropTags } from '../tags/tags.ts';
import { insertRemoval } from './pad-trash-store.ts';

export const padTopic = 'scratchpad';
export const cellTopic = 'scratchpad-cell';

export type RemovalReason = 'delete' | 'reset' | 'evict' | 'namespace';

/** What is kept of a removed pad: its row; its cells and schemas stay where they are, under its key. */
export interface RemovedPad extends Omit<PadRow, 'has_schemas' | 'namespace_key'> {
  readonly reason: RemovalReason;
}

/** One copy a removal, also when an id is used again and again within a millisecond. */
export const copyId = (scratchId: string, padKey: string): string => `${scratchId}/${padKey}`;

export const hashOfPad = (pad: Pick<PadRow, 'pad_key' | 'revision'>): string =>
  sha256Hex(`${pad.pad_key}:${pad.revision}`);

/**
 * All that goes with a pad whose row was just taken out. Answers the ids of the search documents that are left, so that
 * several pads take them out together.
 */
export function* clearPad(db: Writer, pad: PadRow, reason: RemovalReason, actor: string): Work<readonly string[]> {
  const { has_schemas: _hasSchemas, namespace_key: _namespaceKey, ...kept } = pad;
  const removed: RemovedPad = { ...kept, reason };
  yield* putInTrash(db, padTopic, copyId(pad.scratch_id, pad.pad_key), JSON.stringify(removed), actor);
  yield* insertRemoval(db, pad.pad_key);
  yield* dropTags(db, pad, 'pad', parseTags(pad.tags));
  yield* dropTags(db, pad, 'cell', parseTags(pad.cell_tags));
  if (pad.namespace_key !== '') yield* addPadsByKey(db, pad.namespace_key, -1);
  yield* addToTotals(db, -1, -pad.cell_count);
  if (reason !== 'reset') yield* db.changed(padTopic, pad.scratch_id, 'delete', hashOfPad(pad));
  const cells = pad.cell_count === 0 ? [] : yield* listCellIds(db, pad.pad_key);
  return [pad.scratch_id, ...cells.map(({ cell_id }) => cellDocumentId(pad.scratch_id, cell_id))];
}
