import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask, ResourceFamily, ResourceItem, Variables } from '#kernel/tool/resource.ts';
import { toUri } from '#kernel/tool/resource.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { idPattern } from '../words.ts';
import { mimeTypeOf } from './mime-types.ts';
import { askPads, type ListedPad, type ReadAnswer } from './pad-pages.ts';

interface ListedCells {
  readonly cells: readonly { readonly cell_id: string }[];
}

const padTemplate = 'scratchpad://{scratch_id}';
const cellTemplate = 'scratchpad://{scratch_id}/{cell_id}';

/** `scratchpad://schemas/<name>` names a schema of whichever pad refers to it: it is no pad. */
const isPadId = (id: string | undefined): id is string => id !== undefined && id !== 'schemas' && idPattern.test(id);

/** Undefined: there is no such pad or cell. */
async function askAbout(ask: Ask, tool: string, args: Readonly<Record<string, unknown>>): Promise<object | undefined> {
  try {
    return await ask(tool, args);
  } catch (error) {
    if (error instanceof Fault && (error.code === 'NOT_FOUND' || error.code === 'INVALID_ID')) return undefined;
    throw error;
  }
}

const askPad = async (ask: Ask, scratch_id: string, filter: object = {}): Promise<ReadAnswer | undefined> =>
  (await askAbout(ask, 'scratch_read', { scratch_id, ...filter })) as ReadAnswer | undefined;

const toItem = ({ scratch_id, title, description }: ListedPad): ResourceItem => ({
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
    // By id: once they are past what was typed, no later one begins with it.
    const last = page.pads.at(-1)?.scratch_id ?? '';
    cursor = last > typed && !last.startsWith(typed) ? undefined : page.nextCursor;
  } while (cursor !== undefined && found.length < completionCount);
  return found.slice(0, completionCount);
}

/** The cells of the pad that was chosen, in its order. */
async function completeCells({ scratch_id }: Variables, typed: string, ask: Ask): Promise<readonly string[]> {
  if (!isPadId(scratch_id)) return [];
  const answer = (await askAbout(ask, 'scratch_list_cells', { scratch_id })) as ListedCells | undefined;
  return (answer?.cells ?? []).map(({ cell_id }) => cell_id).filter((id) => id.startsWith(typed));
}

/** Each pad, whole, as `scratch_read` answers it. */
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
    const answer = isPadId(scratch_id) ? await askPad(ask, scratch_id) : undefined;
    if (answer === undefined) return undefined;
    const { scratchpad, truncated, nextOffset } = answer;
    return { mimeType: 'application/json', text: JSON.stringify({ ...scratchpad, truncated, nextOffset }) };
  },
  complete: async (variable, typed, ask) => (variable === 'scratch_id' ? completePads(typed, ask) : []),
  changes: { topic: 'scratchpad', variables: (scratch_id) => ({ scratch_id }) },
};

/** `<scratch_id>/<cell_id>`, as changes name a cell. */
function toCellVariables(id: string): { scratch_id: string; cell_id: string } {
  const slash = id.indexOf('/');
  if (slash === -1) throw faults.VALIDATION_ERROR({ why: `"${id}" names no cell of a scratchpad` });
  return { scratch_id: id.slice(0, slash), cell_id: id.slice(slash + 1) };
}

/** Each cell, as the text that it is. Not listed: there are as many as anybody likes, and their pad lists them. */
export const cellResources: ResourceFamily = {
  uriTemplate: cellTemplate,
  name: 'scratchpad-cell',
  title: 'A cell of a scratchpad',
  description: 'The content of one cell, as the text that it is.',
  mimeType: 'text/plain',
  async read({ scratch_id, cell_id }, ask) {
    if (!isPadId(scratch_id) || cell_id === undefined || !idPattern.test(cell_id)) return undefined;
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

/** In this order: a pad's address has one part, a cell's two. */
export const notebookResources: readonly ResourceFamily[] = [padResources, cellResources];
