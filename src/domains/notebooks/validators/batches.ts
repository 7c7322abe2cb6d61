import { notebookLimits } from '../notebook-limits.ts';
import type { CellToCheck } from './task.ts';

/** Cells in their order, as many together as may travel at once; a large one goes alone. */
export function toBatches(cells: readonly CellToCheck[]): readonly (readonly CellToCheck[])[] {
  const batches: CellToCheck[][] = [];
  let chars = 0;
  for (const cell of cells) {
    const last = batches.at(-1);
    const fits = chars + cell.content.length <= notebookLimits.checkBatchChars;
    if (last !== undefined && fits && last.length < notebookLimits.checkBatchCount) {
      last.push(cell);
      chars += cell.content.length;
    } else {
      batches.push([cell]);
      chars = cell.content.length;
    }
  }
  return batches;
}
