import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask, ResourceFamily, ResourceItem, Variables } from '#kernel/tool/resource.ts';
import { toUri } from '#kernel/tool/resource.ts';
import { idPattern, isScratchId } from '../notebook-ids.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { ListedPadRow } from '../pads/pad-list-store.ts';
import type { ReadAnswer } from '../pads/read-pad.ts';
import { askPads } from './ask-pads.ts';
import { mimeTypeOf } from './language-names.ts';

interface ListedCells {
  readonly cells: readonly { readonly cell_id: string }[];
}

const padTemplate = 'scratchpad://{scratch_id}';
const cellTemplate = 'scratchpad://{scratch_id}/{cell_id}';

/** Undefined when the pad or cell does not exist. */
async function askIfExists(
  ask: Ask,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<object | undefined> {
  try {
    return await ask(tool, args);
  } catch (error) {
    if (error instanceof Fault && (error.code === 'NOT_FOUND' || error.code === 'INVALID_ID')) return undefined;
    throw error;
  }
}

const askPad = async (ask: Ask, scratch_id: string, filter: object = {}): Promise<ReadAnswer | undefined> =>
  (await askIfExists(ask, 'scratch_read', { scratch_id, ...filter })) as ReadAnswer | undefined;

const toItem = ({ scratch_id, title, description }: ListedPadRow): ResourceItem => ({
  uri: toUri(padTemplate, { scratch_id }),
  name: scratch_id,
  ...(title === null ? {} : { title }),
  ...(description === null ? {} : { description }),
  mimeType: 'application/json',
});

async function completePads(typed: string, ask: Ask): Promise<readonly string[]> {
  const { completionCount, scanCount } = notebookLimits;
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await askPads(ask, {}, cursor, scanCount);
    for (const { scratch_id } of page.pads) if (scratch_id.startsWith(typed)) found.push(scratch_id);
    // Sorted by id: after the first id beyond the prefix, none can match.
    const last = page.pads.at(-1)?.scratch_id ?? '';
    cursor = last > typed && !last.startsWith(typed) ? undefined : page.nextCursor;
  } while (cursor !== undefined && found.length < completionCount);
  return found.slice(0, completionCount);
}

async function completeCells({ scratch_id }: Variables, typed: string, ask: Ask): Promise<readonly string[]> {
  if (!isScratchId(scratch_id)) return [];
  const answer = (await askIfExists(ask, 'scratch_list_cells', { scratch_id })) as ListedCells | undefined;
  return (answer?.cells ?? []).map(({ cell_id }) => cell_id).filter((id) => id.startsWith(typed));
}

export const padResources: ResourceFamily = {
  uriTemplate: padTemplate,
  name: 'scratchpad',
  title: 'A scratchpad',
  description: 'One scratchpad with all its cells, as JSON.',
  mimeType: 'application/json',
  async list(ask, cursor) {
    const { pads, nextCursor } = await askPads(ask, {}, cursor, notebookLimits.pageCount);
    return { items: pads.map(toItem), ...(nextCursor === undefined ? {} : { nextCursor }) };
  },
  async read({ scratch_id }, ask) {
    const answer = isScratchId(scratch_id) ? await askPad(ask, scratch_id) : undefined;
    if (answer === undefined) return undefined;
    const { scratchpad, truncated, nextOffset } = answer;
    return { mimeType: 'application/json', text: JSON.stringify({ ...scratchpad, truncated, nextOffset }) };
  },
  complete: async (variable, typed, ask) => (variable === 'scratch_id' ? completePads(typed, ask) : []),
  changes: { topic: 'scratchpad', variables: (scratch_id) => ({ scratch_id }) },
};

/** The change log identifies a cell as `<scratch_id>/<cell_id>`. */
function toCellVariables(id: string): { scratch_id: string; cell_id: string } {
  const slash = id.indexOf('/');
  if (slash === -1) throw faults.VALIDATION_ERROR({ why: `"${id}" is not the id of a cell` });
  return { scratch_id: id.slice(0, slash), cell_id: id.slice(slash + 1) };
}

/** Not listed, because there can be very many; the pad lists them. */
export const cellResources: ResourceFamily = {
  uriTemplate: cellTemplate,
  name: 'scratchpad-cell',
  title: 'A cell of a scratchpad',
  description: 'The content of one cell as plain text.',
  mimeType: 'text/plain',
  async read({ scratch_id, cell_id }, ask) {
    if (!isScratchId(scratch_id) || cell_id === undefined || !idPattern.test(cell_id)) return undefined;
    const answer = await askPad(ask, scratch_id, { cell_ids: [cell_id], include_metadata: false });
    const cell = answer?.scratchpad.cells[0];
    return cell?.content === undefined ? undefined : { mimeType: mimeTypeOf(cell.language), text: cell.content };
  },
  async complete(variable, typed, ask, chosen) {
    if (variable === 'cell_id') return completeCells(chosen, typed, ask);
    return variable === 'scratch_id' ? completePads(typed, ask) : [];
  },
  changes: { topic: 'scratchpad-cell', variables: toCellVariables },
};

export const notebookResources: readonly ResourceFamily[] = [padResources, cellResources];
