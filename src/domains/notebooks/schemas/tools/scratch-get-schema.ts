import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { scratchId } from '../../notebook-model.ts';
import { schemaRefField, sharedSchemaField } from '../schema-model.ts';
import type { Schemas } from '../schemas.ts';

export const scratchGetSchema = defineTool({
  name: 'scratch_get_schema',
  title: 'Get a schema of a scratchpad',
  summary: 'Returns one shared JSON Schema of a scratchpad, by id or by name.',
  guide: {
    when: ['you write a cell that must match a shared schema'],
    not: ['you do not know its name: scratch_list_schemas'],
    example: { scratch_id: 'plan', schema_id: 'task' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ scratch_id: scratchId, schema_id: schemaRefField }),
  output: z.object({ ok: z.literal(true), schema: sharedSchemaField }),
  faults: ['INVALID_ID', 'NOT_FOUND'],
  run: ({ schemas }: { readonly schemas: Schemas }, { scratch_id, schema_id }, call) =>
    schemas.get(scratch_id, schema_id, call),
});
