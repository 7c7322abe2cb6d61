import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { cellId, fullCell, scratchId } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

const cellChange = z.object({
  change: z.int().describe('The revision of the scratchpad after the change'),
  cell_id: z.string().optional().describe('Absent for the creation of the scratchpad with its cells'),
  action: z.enum(['created', 'replaced', 'moved', 'deleted', 'restored']),
  actor: z.string(),
  at: z.string(),
  index: z.int().optional().describe('Before the change'),
  new_index: z.int().optional(),
  from_scratch_id: z.string().optional().describe('Of a cell that came from another scratchpad'),
  to_scratch_id: z.string().optional().describe('Of a cell that went to another scratchpad, with its history'),
  version: z.int().optional().describe('The former revision of the cell; this and the rest describe the former cell'),
  language: z.string().optional(),
  tags: z.array(z.string()).optional(),
  content_bytes: z.int().optional(),
  preview: z.string().optional(),
  restore: restoreCall.optional(),
});

export const scratchHistory = defineTool({
  name: 'scratch_history',
  title: 'Show the history of a scratchpad',
  summary: 'Lists who changed which cells and when, newest first; with change, returns what a cell said before it.',
  guide: {
    when: ['you want to know who changed a cell, or what it said before'],
    not: ['a scratchpad was deleted: scratch_trash'],
    example: { scratch_id: 'plan', cell_id: 'intro' },
  },
  effect: 'read',
  answer: 'page',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_id: cellId.optional().describe('Only the changes of this cell'),
    change: z.int().min(1).optional().describe('With cell_id: returns the cell as it was before this change'),
    limit: z.int().min(1).max(notebookLimits.changesCount).default(notebookLimits.changesDefaultCount),
    cursor: z.string().max(cursorLimits.cursorChars).optional(),
  }),
  output: z.object({
    ok: z.literal(true),
    scratch_id: z.string(),
    revision: z.int().optional(),
    changes: z.array(cellChange).optional(),
    next_cursor: z.string().optional(),
    change: cellChange.optional(),
    cell: fullCell.optional().describe('Before the change'),
    next_change: z.int().optional().describe('The change that ended what this one wrote; absent: it is the present'),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFIG_ERROR'],
  run({ history }: Pick<Notebooks, 'history'>, { change, ...input }, call) {
    if (change === undefined) return history.list(input, call);
    const { scratch_id, cell_id, cursor } = input;
    if (cell_id === undefined || cursor !== undefined) {
      throw faults.INVALID_PARAMS(
        { why: 'change is read with cell_id and without cursor' },
        { field: 'change', fix: 'Send scratch_id, cell_id and change of one item of the history.' },
      );
    }
    return history.read({ scratch_id, cell_id, change }, call);
  },
});
