import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { expectedRevision, scratchId, text } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

const shown = z.string().nullable();

export const scratchDescribe = defineTool({
  name: 'scratch_describe',
  title: 'Change the title of a scratchpad',
  summary: 'Changes the title, description or summary of a scratchpad; its cells stay.',
  guide: {
    when: ['a scratchpad needs a better title or description'],
    not: ['its content changes: scratch_replace_cell'],
    instead: {
      new_id:
        'the id of a scratchpad is fixed, because histories and links refer to it; title changes the name that is shown',
      new_scratch_id:
        'the id of a scratchpad is fixed, because histories and links refer to it; title changes the name that is shown',
      id: 'pass scratch_id; it is fixed, and title changes the name that is shown',
      name: 'title is the name that is shown; the id is fixed',
      new_title: 'pass title',
      new_name: 'pass title; the id is fixed',
      namespace: 'scratch_create sets it, and scratch_namespace_rename moves all scratchpads of a namespace',
      tags: 'scratch_create sets them',
    },
    example: { scratch_id: 'plan', title: 'Release plan of May' },
  },
  effect: 'update',
  input: z.strictObject({
    scratch_id: scratchId,
    title: text(notebookLimits.titleChars).describe('Empty or null removes it; absent keeps it'),
    description: text(notebookLimits.descriptionChars),
    summary: text(notebookLimits.summaryChars),
    expected_revision: expectedRevision,
  }),
  output: z.object({
    ok: z.literal(true),
    scratch_id: z.string(),
    title: shown,
    description: shown,
    summary: shown,
    revision: z.int(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.describe(input, call),
});
