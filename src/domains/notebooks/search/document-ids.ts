import type { Reader, Work } from '#kernel/storage/port.ts';
import { cellDocumentId } from './documents.ts';
import { findPadPlace, listCellIds, listCellKeys, listPadPlaces, type PadPlace } from './notebook-search-store.ts';

export interface DocumentPlace {
  readonly scratchId: string;
  /** Undefined: the pad itself. */
  readonly cellId: string | undefined;
}

/** Ids of pads and cells have no slash. */
export function toPlace(documentId: string): DocumentPlace {
  const slash = documentId.indexOf('/');
  return slash === -1
    ? { scratchId: documentId, cellId: undefined }
    : { scratchId: documentId.slice(0, slash), cellId: documentId.slice(slash + 1) };
}

function* cellsOf(db: Reader, pad: PadPlace, after: string, limit: number): Work<readonly string[]> {
  if (limit <= 0) return [];
  const rows = yield* listCellIds(db, pad.pad_key, after, limit);
  return rows.map(({ cell_id }) => cellDocumentId(pad.scratch_id, cell_id));
}

/** The pads that fit with all their cells. */
function fitting(pads: readonly PadPlace[], room: number): readonly PadPlace[] {
  let used = 0;
  const tooMany = pads.findIndex(({ cell_count }) => {
    used += 1 + cell_count;
    return used > room;
  });
  return tooMany === -1 ? pads : pads.slice(0, tooMany);
}

function* wholePads(db: Reader, pads: readonly PadPlace[]): Work<readonly string[]> {
  const keys = yield* listCellKeys(
    db,
    pads.map(({ pad_key }) => pad_key),
  );
  const byPad = Map.groupBy(keys, ({ pad_key }) => pad_key);
  return pads.flatMap(({ scratch_id, pad_key }) => {
    const cells = (byPad.get(pad_key) ?? []).map(({ cell_id }) => cellDocumentId(scratch_id, cell_id));
    return [scratch_id, ...cells.sort((a, b) => (a < b ? -1 : 1))];
  });
}

/**
 * One page of all documents: each pad, behind it its cells, both by id. A few statements, however small the pads are. An
 * empty page is the end.
 */
export function* listDocumentIds(db: Reader, after: string | undefined, limit: number): Work<readonly string[]> {
  const ids: string[] = [];
  const { scratchId, cellId } = toPlace(after ?? '');
  const begun = after === undefined ? undefined : yield* findPadPlace(db, scratchId);
  if (begun !== undefined) ids.push(...(yield* cellsOf(db, begun, cellId ?? '', limit)));
  const room = limit - ids.length;
  if (room <= 0) return ids;
  const pads = yield* listPadPlaces(db, scratchId, room);
  const whole = fitting(pads, room);
  if (whole.length > 0) return [...ids, ...(yield* wholePads(db, whole))];
  const [first] = pads;
  if (first === undefined) return ids;
  return [...ids, first.scratch_id, ...(yield* cellsOf(db, first, '', room - 1))];
}
