import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { scratchId } from '../../notebook-model.ts';
import { schemaInputField, sharedSchemaField } from '../schema-model.ts';
import type { Schemas } from '../schemas.ts';

export const scratchUpsertSchema = defineTool({
  name: 'scratch_upsert_schema',
  title: 'Add or change a schema of a scratchpad',
  summary: 'Stores a JSON Schema that the cells of a scratchpad share; replaces the one with the same id or name.',
  guide: {
    when: ['several cells must have the same structure'],
    not: ['only one cell needs it: set json_schema of that cell'],
    example: {
      scratch_id: 'plan',
      schema: { name: 'task', description: 'One task', schema: { type: 'object', required: ['title'] } },
    },
  },
  effect: 'update',
  input: z.strictObject({ scratch_id: scratchId, schema: schemaInputField }),
  output: z.object({
    ok: z.literal(true),
    schema: sharedSchemaField,
    restore: restoreCall.optional(),
    warnings: z.array(z.string()).optional().describe('References that cannot be resolved; nothing is fetched'),
  }),
  faults: ['INVALID_ID', 'NOT_FOUND', 'CONFLICT', 'CAPACITY_LIMIT_REACHED'],
  run: ({ schemas }: { readonly schemas: Schemas }, { scratch_id, schema }, call) =>
    schemas.upsert(scratch_id, schema, call),
});
