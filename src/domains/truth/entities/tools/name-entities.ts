import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityIdField } from '../entity-model.ts';

export const nameEntities = defineTool({
  name: 'name_entities',
  title: 'Names of entities',
  summary: 'Returns the names of entities as their sources write them; canonical names are in lower case.',
  guide: {
    when: ['you show entities to a person and have only their ids'],
    not: ['you want their values: retrieve_entities'],
    example: { entity_ids: ['ent_5f0c3a9d1b7e2468ace01357'] },
  },
  effect: 'read',
  stable: false,
  answer: 'whole',
  input: z.strictObject({ entity_ids: z.array(entityIdField).min(1).max(truthLimits.listCount) }),
  output: z.object({ names: z.record(z.string(), z.string()).describe('By id; an unknown id is missing') }),
  faults: ['VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: async ({ entities }: Pick<Truth, 'entities'>, { entity_ids }, call) => ({
    names: Object.fromEntries(await entities.names(entity_ids, call)),
  }),
});
