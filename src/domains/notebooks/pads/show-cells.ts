import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { LightPad } from '../notebook-model.ts';
import { type CellRange, type LightCellRow, listCellsBetween, listLightCells } from './cell-store.ts';
import type { PadRow } from './pad-store.ts';

export type ShownCells = 'all' | undefined;

/** All cells of a short pad; of a longer one those around a change, so that a write costs the same in every pad. */
export function* listShownCells(
  db: Reader,
  pad: Pick<PadRow, 'pad_key' | 'cell_count'>,
  change: CellRange,
  shown: ShownCells,
): Work<readonly LightCellRow[]> {
  const { wholeCellsCount, nearCellsCount } = notebookLimits;
  if (shown === 'all' || pad.cell_count <= wholeCellsCount) return yield* listLightCells(db, pad.pad_key);
  return yield* listCellsBetween(db, pad.pad_key, change.from - nearCellsCount, change.to + nearCellsCount);
}

export const cellListTool = 'scratch_list_cells';

/** The cells from `at` on, without those that were already shown. */
export interface CellListState {
  readonly at: number;
  readonly skip: CellRange;
}

/** The cursor of the cells that an answer does not show. */
export function cursorOfRest(
  cursors: Pick<Cursors, 'seal'>,
  { tenant }: Call,
  { cells, cell_count }: LightPad,
): { readonly next_cursor?: string } {
  if (cells.length >= cell_count) return {};
  const skip = { from: cells[0]?.index ?? 0, to: cells.at(-1)?.index ?? -1 };
  return { next_cursor: cursors.seal(cellListTool, tenant, { at: 0, skip } satisfies CellListState) };
}

/** The positions of the next page, and where the page after it begins. */
export function pageOf({ at, skip }: CellListState, cellsCount: number): CellRange & { readonly next?: number } {
  const from = at >= skip.from && at <= skip.to ? skip.to + 1 : at;
  const end = from < skip.from ? Math.min(cellsCount, skip.from) : cellsCount;
  const to = Math.min(end, from + notebookLimits.cellPageCount) - 1;
  const after = to + 1 === skip.from ? skip.to + 1 : to + 1;
  return after < cellsCount ? { from, to, next: after } : { from, to };
}
