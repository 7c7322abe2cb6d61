import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellInputs, lightPad, padMetadata, scratchId, validationResult } from '../../notebook-model.ts';
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
  listed: true,
  input: z.strictObject({
    scratch_id: scratchId.optional().describe('Generated if absent'),
    metadata: padMetadata.optional(),
    cells: cellInputs.optional(),
    if_exists: z.enum(['reset', 'fail']).default('reset'),
  }),
  output: z.object({
    ok: z.literal(true),
    scratchpad: lightPad,
    reset: z.literal(true).optional(),
    validation: z.array(validationResult).optional(),
    evicted_scratchpads: z.array(z.string()).optional(),
  }),
  faults: ['INVALID_ID', 'CONFLICT', 'VALIDATION_ERROR', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.create(input, call),
});
