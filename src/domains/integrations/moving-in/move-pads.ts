import { Fault } from '#kernel/fault/fault.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { CellItem, PadItem } from './memory-item.ts';
import { type MoveDeps, recordError } from './move-deps.ts';
import { cellRecord } from './moved-items.ts';

const { padCellsCount, titleChars, tagChars, tagsCount } = integrationLimits;

const cutTags = (tags: readonly string[] = []): readonly string[] =>
  [...new Set(tags.map((tag) => tag.slice(0, tagChars)))].slice(0, tagsCount);

const toCell = ({ cellId, content, source, speaker, at, tags }: CellItem) => ({
  cell_id: cellId,
  language: 'md',
  content,
  metadata: { source, ...(speaker !== undefined && { speaker }), ...(at !== undefined && { at }) },
  ...(tags !== undefined && tags.length > 0 && { tags: cutTags(tags) }),
});

/** A long conversation continues in further pads, so that none is over the limit. */
export function splitPad(pad: PadItem): readonly PadItem[] {
  if (pad.cells.length <= padCellsCount) return [pad];
  const count = Math.ceil(pad.cells.length / padCellsCount);
  return Array.from({ length: count }, (_, i) => ({
    ...pad,
    scratchId: i === 0 ? pad.scratchId : `${pad.scratchId}-${i + 1}`,
    title: `${pad.title.slice(0, titleChars - 12)} (${i + 1} of ${count})`,
    cells: pad.cells.slice(i * padCellsCount, (i + 1) * padCellsCount),
  }));
}

interface ReadCell {
  readonly cell_id: string;
  readonly content?: string;
}

const codeOf = (error: unknown): string => (error instanceof Fault ? error.code : '');

/** False if a pad with this id exists. */
async function createPad({ ask, namespace }: MoveDeps, { scratchId, title, tags, cells }: PadItem): Promise<boolean> {
  const metadata = { title: title.slice(0, titleChars), namespace, tags: cutTags(tags) };
  try {
    await ask('scratch_create', { scratch_id: scratchId, metadata, cells: cells.map(toCell), if_exists: 'fail' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'CONFLICT') return false;
    throw error;
  }
}

/** Undefined for an unknown cell. */
async function readCell({ ask }: MoveDeps, scratch_id: string, cell_id: string): Promise<string | undefined> {
  try {
    const { scratchpad } = (await ask('scratch_read', { scratch_id, cell_ids: [cell_id] })) as {
      readonly scratchpad: { readonly cells: readonly ReadCell[] };
    };
    return scratchpad.cells[0]?.content;
  } catch (error) {
    if (codeOf(error) === 'INVALID_ID') return undefined;
    throw error;
  }
}

type Outcome = 'new' | 'changed' | 'known' | 'conflict';

/** `before`: the hash of what was imported earlier. */
async function moveCell(deps: MoveDeps, pad: PadItem, cell: CellItem, before: string | undefined): Promise<Outcome> {
  const { scratchId: scratch_id } = pad;
  const present = await readCell(deps, scratch_id, cell.cellId);
  if (present === cell.content) return 'known';
  if (present === undefined) {
    // It was imported and is gone: somebody deleted it here.
    if (before !== undefined) return 'conflict';
    await deps.ask('scratch_append_cell', { scratch_id, cell: toCell(cell) });
    return 'new';
  }
  if (sha256Hex(present) !== before) return 'conflict';
  await deps.ask('scratch_replace_cell', { scratch_id, cell_id: cell.cellId, cell: toCell(cell) });
  return 'changed';
}

const conflict = {
  code: 'CONFLICT',
  error: 'It was changed or deleted here as well as in the source. What is here was kept.',
} as const;

/** Adds the cells of a pad that are missing, and those that only the source has changed. */
export async function movePads(deps: MoveDeps, given: readonly PadItem[]) {
  const { moved, report, dryRun } = deps;
  const pads = given.flatMap(splitPad);
  const counts = { new: 0, changed: 0, known: 0, cells: 0 };
  for (const [i, pad] of pads.entries()) {
    deps.signal?.throwIfAborted();
    deps.progress(i, pads.length, 'importing notes');
    const records = pad.cells.map((cell) => cellRecord(pad, cell));
    const known = await moved.find(records);
    const wanted = pad.cells.filter((_cell, at) => known.get(records[at]!.item) !== records[at]!.hash);
    if (wanted.length === 0) {
      counts.known += 1;
      continue;
    }
    if (dryRun) {
      counts[known.size === 0 ? 'new' : 'changed'] += 1;
      counts.cells += wanted.length;
      continue;
    }
    try {
      if (known.size === 0 && (await createPad(deps, pad))) {
        await moved.save(records);
        counts.new += 1;
        counts.cells += wanted.length;
        continue;
      }
      let done = 0;
      for (const cell of wanted) {
        const record = cellRecord(pad, cell);
        const outcome = await moveCell(deps, pad, cell, known.get(record.item));
        if (outcome === 'conflict') report.push({ source: cell.source, ...conflict });
        else await moved.save([record]);
        if (outcome === 'new' || outcome === 'changed') done += 1;
      }
      counts[done > 0 ? 'changed' : 'known'] += 1;
      counts.cells += done;
    } catch (error) {
      if (codeOf(error) === 'NOT_FOUND') report.push({ source: pad.scratchId, ...conflict });
      else recordError(report, pad.scratchId, error);
    }
  }
  return counts;
}
