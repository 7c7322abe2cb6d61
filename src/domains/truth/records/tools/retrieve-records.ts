import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { truthLimits } from '../../truth-limits.ts';
import { embedding, propertyMap, recordType, recordView } from '../record.ts';
import type { Records } from '../records.ts';

const { recordsDefaultCount, termsCount, termChars } = truthLimits;
const { listCount, offsetCount } = truthLimits;
const modes = ['semantic', 'keyword', 'both'] as const;

export const retrieveRecords = defineTool({
  name: 'retrieve_records',
  title: 'Retrieve records',
  summary:
    'Deprecated, use get_entity_snapshot and list_observations instead: finds records by type, properties, words and meaning.',
  guide: {
    when: ['you look for records that an older client or an uploaded file left'],
    not: ['you ask what is known of an entity: retrieve_entities, get_entity_snapshot'],
    example: { type: 'transaction', search: ['coffee'], limit: 5 },
  },
  effect: 'read',
  rate: { limit: 300, windowMs: 60_000 },
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 10_000,
    deterministic: true,
    why: 'metadata and words are found at once; a meaning only when its text has been embedded',
  },
  input: z.strictObject({
    type: recordType.optional(),
    properties: propertyMap.optional().describe('All of them, each equal to the value'),
    limit: z.int().min(1).max(listCount).default(recordsDefaultCount),
    offset: z.int().min(0).max(offsetCount).default(0),
    search: z.array(z.string().max(termChars).regex(/\S/, 'must not be blank')).max(termsCount).optional(),
    search_mode: z.enum(modes).default('both'),
    similarity_threshold: z.number().min(0).max(1).default(0.7),
    query_embedding: embedding.optional(),
  }),
  output: z.object({
    records: z.array(recordView.extend({ similarity: z.number().optional() })),
    total: z.int().describe('Matching ones, before the limit; counted up to a bound'),
    search_mode_used: z.enum(modes).optional(),
    truncated: z.literal(true).optional().describe('The rest comes with a higher offset'),
    hint: z.string().optional(),
  }),
  faults: ['VALIDATION_ERROR', 'SEARCH_FAILED', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'],
  run: ({ records }: { readonly records: Records }, input, call) => records.retrieve(input, call),
});
