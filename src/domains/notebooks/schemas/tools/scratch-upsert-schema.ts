import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { scratchId } from '../../notebook-model.ts';
import { givenSchemaField, sharedSchemaField } from '../schema-fields.ts';
import type { Schemas } from '../schemas.ts';

export const scratchUpsertSchema = defineTool({
  name: 'scratch_upsert_schema',
  title: 'Add or change a schema of a scratchpad',
  summary: 'Keeps a JSON Schema that the cells of a scratchpad share; an existing id or name is changed.',
  guide: {
    when: ['several cells have to follow one shape'],
    not: ['only one cell needs it: give that cell a json_schema'],
    example: {
      scratch_id: 'plan',
      schema: { name: 'task', description: 'One task', schema: { type: 'object', required: ['title'] } },
    },
  },
  effect: 'update',
  input: z.strictObject({ scratch_id: scratchId, schema: givenSchemaField }),
  output: z.object({
    ok: z.literal(true),
    schema: sharedSchemaField,
    warnings: z.array(z.string()).optional().describe('References that lead nowhere; nothing is ever fetched'),
  }),
  faults: ['INVALID_ID', 'NOT_FOUND', 'CONFLICT', 'CAPACITY_LIMIT_REACHED'],
  run: ({ schemas }: { readonly schemas: Schemas }, { scratch_id, schema }, call) =>
    schemas.upsert(scratch_id, schema, call),
});
