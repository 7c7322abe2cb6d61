import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { scratchId } from '../../notebook-model.ts';
import { sharedSchemaField } from '../schema-model.ts';
import type { Schemas } from '../schemas.ts';

export const scratchListSchemas = defineTool({
  name: 'scratch_list_schemas',
  title: 'List the schemas of a scratchpad',
  summary: 'Lists the JSON Schemas that the cells of one scratchpad share, by name.',
  guide: {
    when: ['you need to know which schemas a cell can refer to'],
    not: ['you know the name: scratch_get_schema'],
    example: { scratch_id: 'plan' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ scratch_id: scratchId }),
  output: z.object({ ok: z.literal(true), scratch_id: z.string(), schemas: z.array(sharedSchemaField) }),
  faults: ['INVALID_ID', 'NOT_FOUND'],
  run: ({ schemas }: { readonly schemas: Schemas }, { scratch_id }, call) => schemas.list(scratch_id, call),
});
