import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entitySchema, listedSchema } from '../entity-schema.ts';

export const listEntitySchemas = defineTool({
  name: 'list_entity_schemas',
  title: 'List entity schemas',
  summary: 'Lists the schema versions of entity types and which is active; includes the fields for a single type.',
  guide: {
    when: ['you want to see all types, or the fields and merge policies of one'],
    not: ['you want the values of an entity: get_entity_snapshot'],
    example: { entity_type: 'invoice' },
  },
  effect: 'read',
  guarantees: { consistency: 'strong', deterministic: true },
  input: z.strictObject({
    entity_type: entitySchema.shape.entity_type.optional(),
    limit: z.int().min(1).max(truthLimits.listCount).default(truthLimits.listDefaultCount),
    offset: z.int().min(0).max(truthLimits.offsetCount).default(0),
  }),
  output: z.object({ schemas: z.array(listedSchema), total: z.int(), limit: z.int(), offset: z.int() }),
  faults: ['VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  run: ({ schemas }: Pick<Truth, 'schemas'>, asked, call) => schemas.list(asked, call),
});
