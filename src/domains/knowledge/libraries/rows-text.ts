import type { Bound, Sql } from '#kernel/storage/sql.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

/** Few sizes, so that each statement is prepared once. */
const sizes: readonly number[] = [knowledgeLimits.statementRowsCount, 8, 1];

export function* inGroups<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let at = 0;
  for (const size of sizes) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
}

/** Builds the text of an insert once per size and freezes it, because stores recognise it by identity. */
export function rowsText(before: string, width: number, after: string) {
  const known = new Map<number, readonly string[]>();
  function partsOf(count: number): readonly string[] {
    const made = known.get(count);
    if (made !== undefined) return made;
    const parts = Array.from({ length: count * width }, (_, i) => {
      if (i === 0) return `${before} (`;
      return i % width === 0 ? '), (' : ', ';
    });
    known.set(count, Object.freeze([...parts, `) ${after}`]));
    return known.get(count)!;
  }
  return (rows: readonly (readonly Bound[])[]): Sql => ({ parts: partsOf(rows.length), args: rows.flat() });
}
