import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellInputs, padMetadata, scratchId, writeAnswer } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchCreate = defineTool({
  name: 'scratch_create',
  title: 'Create or reset a scratchpad',
  summary: 'Creates a scratchpad of typed cells, or resets the one with this id.',
  guide: {
    when: ['you start notes, data or drafts'],
    not: ['its cells must stay: scratch_append_cell'],
    example: {
      scratch_id: 'plan',
      metadata: { title: 'Release plan', namespace: 'release', tags: ['draft'] },
      cells: [{ language: 'md', content: '# Plan' }],
    },
  },
  effect: 'update',
  input: z.strictObject({
    scratch_id: scratchId.optional().describe('Generated if absent'),
    metadata: padMetadata.optional(),
    cells: cellInputs.optional(),
    if_exists: z.enum(['reset', 'fail', 'append']).default('reset'),
  }),
  output: writeAnswer.extend({
    reset: z.literal(true).optional().describe('It existed; its former state is in the trash'),
    appended: z.literal(true).optional(),
    evicted_scratchpads: z.array(z.string()).optional(),
  }),
  faults: ['INVALID_ID', 'CONFLICT', 'VALIDATION_ERROR', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.create(input, call),
});
