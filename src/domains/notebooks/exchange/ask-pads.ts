import type { Ask } from '#kernel/tool/resource.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullCell, FullPad } from '../notebook-model.ts';
import type { ListedPadRow } from '../pads/pad-list-store.ts';
import type { ReadAnswer } from '../pads/read-pad.ts';

/** Bulk operations call the tools, so scopes, limits, audit and metrics apply to them as well. */
export interface BulkDeps {
  readonly ask: Ask;
  readonly progress: (done: number, total: number | undefined, message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface PadFilter {
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export async function askPads(ask: Ask, filter: PadFilter, cursor: string | undefined, limit: number) {
  const { namespaces, tags } = filter;
  const answer = (await ask('scratch_list', { limit, cursor, namespaces, tags })) as {
    readonly scratchpads: readonly ListedPadRow[];
    readonly next_cursor?: string;
  };
  return { pads: answer.scratchpads, nextCursor: answer.next_cursor };
}

export async function askIds({ ask, progress, signal }: BulkDeps, filter: PadFilter): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    signal?.throwIfAborted();
    const page = await askPads(ask, filter, cursor, notebookLimits.scanCount);
    ids.push(...page.pads.map(({ scratch_id }) => scratch_id));
    progress(ids.length, undefined, 'listing');
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

const isOmitted = (cell: FullCell): boolean => cell.content_omitted === true;

/** A deleted and re-created pad starts again at revision 1, so the creation time must match too. */
const isSame = (a: FullPad, b: FullPad): boolean => a.revision === b.revision && a.created_at === b.created_at;

/** The cells whose content did not fit the first answer; undefined when the pad changed meanwhile. */
async function askRest(ask: Ask, pad: FullPad): Promise<ReadonlyMap<string, FullCell> | undefined> {
  const found = new Map<string, FullCell>();
  const left = new Set(pad.cells.filter(isOmitted).map(({ cell_id }) => cell_id));
  while (left.size > 0) {
    const cell_ids = [...left].slice(0, notebookLimits.readCellsCount);
    const { scratchpad } = (await ask('scratch_read', {
      scratch_id: pad.scratch_id,
      cell_ids,
      include_metadata: false,
    })) as ReadAnswer;
    if (!isSame(pad, scratchpad)) return undefined;
    // The first cell of an answer always has its content, so the loop ends.
    for (const cell of scratchpad.cells)
      if (!isOmitted(cell) && left.delete(cell.cell_id)) found.set(cell.cell_id, cell);
  }
  return found;
}

/** A consistent pad with all contents, read in several calls; starts again if it changes. Undefined if it kept changing. */
export async function askWhole(ask: Ask, scratch_id: string): Promise<FullPad | undefined> {
  for (let attempt = 0; attempt < notebookLimits.readAttemptsCount; attempt += 1) {
    const { scratchpad } = (await ask('scratch_read', { scratch_id })) as ReadAnswer;
    const rest = await askRest(ask, scratchpad);
    if (rest !== undefined) {
      return { ...scratchpad, cells: scratchpad.cells.map((cell) => rest.get(cell.cell_id) ?? cell) };
    }
  }
  return undefined;
}
