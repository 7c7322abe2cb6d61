import { callTool, ToolError } from '../../api/call.ts';
import { type Cell, type Draft, toTags } from './drafts.ts';

const attemptsCount = 4;
const hasCode = (error: unknown, code: string): boolean => error instanceof ToolError && error.code === code;

/** Saved, or what others wrote meanwhile. */
export type SaveOutcome = 'saved' | { readonly theirs: Cell | 'deleted' };

async function readCell(scratchId: string, cellId: string) {
  try {
    const { scratchpad } = await callTool('scratch_read', { scratch_id: scratchId, cell_ids: [cellId] });
    return { cell: scratchpad.cells[0], revision: scratchpad.revision };
  } catch (error) {
    if (hasCode(error, 'INVALID_ID')) return undefined;
    throw error;
  }
}

/** The metadata of an answer repeats the tags, and would add the former ones again. */
function withoutTags(metadata: Cell['metadata']): Record<string, unknown> {
  const { tags: _tags, ...rest } = metadata ?? {};
  return rest;
}

const toCell = ({ base, text, language, tags }: Draft) => ({
  language,
  content: text,
  tags: toTags(tags),
  validate: base?.validate ?? false,
  ...(base?.json_schema !== undefined && { json_schema: base.json_schema as string }),
  metadata: withoutTags(base?.metadata),
});

/**
 * Replaces a cell only if it still says what it said when editing began. A change of another cell of the pad is not a
 * conflict: the save is tried again with the new revision of the pad.
 */
export async function saveDraft(draft: Draft): Promise<SaveOutcome> {
  const { scratchId, base } = draft;
  if (base === undefined) {
    await callTool('scratch_append_cell', { scratch_id: scratchId, cell: toCell(draft) });
    return 'saved';
  }
  for (let attempt = 0; ; attempt += 1) {
    const found = await readCell(scratchId, base.cell_id);
    if (found?.cell === undefined) return { theirs: 'deleted' };
    if (found.cell.revision !== base.revision) return { theirs: found.cell };
    try {
      await callTool('scratch_replace_cell', {
        ...{ scratch_id: scratchId, cell_id: base.cell_id, expected_revision: found.revision },
        cell: toCell(draft),
      });
      return 'saved';
    } catch (error) {
      if (!hasCode(error, 'CONFLICT') || attempt === attemptsCount) throw error;
    }
  }
}
