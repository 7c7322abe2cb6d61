import { z } from 'zod';
import { rankingModes } from '#kernel/search/hybrid.ts';
import { defineTool, rare } from '#kernel/tool/tool.ts';
import { timeField } from '../../iso-time.ts';
import { cursorField } from '../../list-cursor.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityTypeField, offsetField, truncationFields } from '../entity-model.ts';
import { fieldsInput } from '../search/field-filter.ts';
import { retrievedEntity, searchRemarks } from '../search/show-found.ts';

export const retrieveEntities = defineTool({
  name: 'retrieve_entities',
  title: 'Find entities',
  summary: 'Finds entities by name, number, words, meaning and values; without them, lists the newest.',
  guide: {
    when: ['you look for facts or an entity_id: "what do we owe Acme"'],
    example: { query: 'Acme', entity_type: 'invoice', fields: { status: 'open' } },
  },
  effect: 'read',
  listed: true,
  answer: 'whole',
  input: z.strictObject({
    query: z.string().max(truthLimits.queryChars).optional(),
    fields: fieldsInput.optional(),
    entity_type: entityTypeField.optional(),
    at: timeField.optional().describe('What held then'),
    limit: z.int().min(1).max(truthLimits.listCount).optional().describe('100; with query 10'),
    offset: offsetField,
    mode: z
      .enum(rankingModes)
      .optional()
      .meta({ ...rare, description: 'Default: hybrid, without meaning if a hit has every word of the query' }),
    cursor: cursorField.optional(),
    brief: z
      .boolean()
      .optional()
      .meta({ ...rare, description: 'Cuts long values of a list; a search always does' }),
    include_snapshots: z.boolean().default(true),
  }),
  output: z.object({
    entities: z.array(retrievedEntity),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    ...truncationFields,
    ...searchRemarks,
    next_cursor: z.string().optional(),
  }),
  faults: ['INVALID_PARAMS', 'VALIDATION_ERROR', 'SEARCH_FAILED', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE'],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 60_000,
    deterministic: true,
    why: 'lists, words and filters see writes immediately; meaning after embedding, bulk imports after indexing, facts that begin or end by themselves after a minute',
  },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.retrieve(input, call),
});
