import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { timeField } from '../../iso-time.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityTypeField, offsetField, truncationFields } from '../entity-model.ts';
import { fieldsInput } from '../search/field-filter.ts';
import { retrievedEntity, searchRemarks } from '../search/show-found.ts';

export const retrieveEntities = defineTool({
  name: 'retrieve_entities',
  title: 'Search and list entities',
  summary:
    'Finds entities by words, meaning and field values, now or at a moment; without them it lists the newest. With snapshots and a total.',
  guide: {
    when: ['you look for facts: "unpaid Acme invoices"', 'you want an overview of a type'],
    not: ['you know a name or number: get_entity_by_identifier'],
    example: { query: 'acme invoices', fields: { status: 'open' }, limit: 20 },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    query: z.string().max(truthLimits.queryChars).optional().describe('Words of names and values, past ones too'),
    fields: fieldsInput.optional(),
    entity_type: entityTypeField.optional(),
    at: timeField.optional().describe('Only what held then'),
    limit: z.int().min(1).max(truthLimits.listCount).optional().describe('Default 10 with a query, else 100'),
    offset: offsetField,
    include_snapshots: z.boolean().default(true),
  }),
  output: z.object({
    entities: z.array(retrievedEntity),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    ...truncationFields,
    ...searchRemarks,
  }),
  faults: ['VALIDATION_ERROR', 'SEARCH_FAILED', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE'],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 10_000,
    deterministic: true,
    why: 'lists, words and filters see writes immediately; meaning sees them after embedding, bulk imports after indexing',
  },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.retrieve(input, call),
});
