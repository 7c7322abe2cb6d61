import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entityIdField } from '../entity-model.ts';
import { entityMoments } from '../entity-moments.ts';

export const listEntityMoments = defineTool({
  name: 'list_entity_moments',
  title: 'List the moments of an entity',
  summary: 'Lists the times at which statements about an entity begin or end, and those at which they were recorded.',
  guide: {
    when: ['you look for a useful `at` or `as_known_at`'],
    not: ['you want the events in its data, such as due dates: list_timeline_events'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ entity_id: entityIdField }),
  output: entityMoments,
  faults: ['ENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.moments(input, call),
});
