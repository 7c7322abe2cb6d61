import { type Call, withoutKey } from '#kernel/call.ts';
import type { Reader, Step, Storage, Writer } from '#kernel/storage/port.ts';
import { instructionLimits } from '../instruction-limits.ts';

export interface PrunedTable {
  idsAfter(db: Reader, after: string, limit: number): Step<readonly { readonly id: string }[]>;
  deleteRows(db: Writer, ids: readonly string[]): Step<unknown>;
  isGone(id: string): boolean;
  /** Only counts. */
  readonly dryRun: boolean;
}

/** Deletes the rows of removed instructions, page by page, and returns their number. */
export async function pruneRows(storage: Storage, call: Call, table: PrunedTable): Promise<number> {
  const unaudited: Call = { ...withoutKey(call), audit: 'none' };
  let prunedCount = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const page = await storage.read(call, (db) => table.idsAfter(db, from, instructionLimits.pruneRowsCount));
    const gone = page.map(({ id }) => id).filter((id) => table.isGone(id));
    prunedCount += gone.length;
    if (gone.length > 0 && !table.dryRun) await storage.write(unaudited, (db) => table.deleteRows(db, gone));
    after = page.length < instructionLimits.pruneRowsCount ? undefined : page.at(-1)?.id;
  }
  return prunedCount;
}
