import type { Ask } from '#kernel/tool/resource.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullCell, FullPad } from '../notebook-model.ts';
import type { BulkDeps } from './bulk-deps.ts';

export interface ListedPad {
  readonly scratch_id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly namespace: string | null;
  readonly cell_count: number;
}

export interface PadFilter {
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface PadPage {
  readonly pads: readonly ListedPad[];
  readonly nextCursor: string | undefined;
}

export async function askPads(
  ask: Ask,
  filter: PadFilter,
  cursor: string | undefined,
  limit: number,
): Promise<PadPage> {
  const { namespaces, tags } = filter;
  const answer = (await ask('scratch_list', {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
    ...(namespaces === undefined ? {} : { namespaces }),
    ...(tags === undefined ? {} : { tags }),
  })) as { readonly scratchpads: readonly ListedPad[]; readonly next_cursor?: string };
  return { pads: answer.scratchpads, nextCursor: answer.next_cursor };
}

/** The ids of all pads that the filters let through. */
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

export interface ReadAnswer {
  readonly scratchpad: FullPad;
  readonly truncated?: true;
  readonly nextOffset?: number;
}

const isOmitted = (cell: FullCell): boolean => cell.content_omitted === true;

/** A reset begins to count anew, so that the revision alone does not tell. */
const isSame = (a: FullPad, b: FullPad): boolean => a.revision === b.revision && a.created_at === b.created_at;

/** The cells whose contents did not fit the first answer; undefined when the pad is another one meanwhile. */
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
    // The first of an answer always has its content, so that each answer brings at least one.
    for (const cell of scratchpad.cells)
      if (!isOmitted(cell) && left.delete(cell.cell_id)) found.set(cell.cell_id, cell);
  }
  return found;
}

/**
 * A pad with the contents of all its cells, however many answers they take. It may change between two of them: then it is
 * read again, so that what comes out is the pad at one moment. Undefined when it kept changing.
 */
export async function askWhole(ask: Ask, scratch_id: string): Promise<FullPad | undefined> {
  for (let attempt = 0; attempt < notebookLimits.readAgainCount; attempt += 1) {
    const { scratchpad } = (await ask('scratch_read', { scratch_id })) as ReadAnswer;
    const rest = await askRest(ask, scratchpad);
    if (rest !== undefined) {
      return { ...scratchpad, cells: scratchpad.cells.map((cell) => rest.get(cell.cell_id) ?? cell) };
    }
  }
  return undefined;
}
