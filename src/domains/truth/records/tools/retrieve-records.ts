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
    'Deprecated, use get_entity_snapshot and list_observations instead. Finds records by type, properties, keyword and semantic search.',
  guide: {
    when: ['you look for records of an older client or an uploaded file'],
    not: ['you want to know about an entity: retrieve_entities, get_entity_snapshot'],
    example: { type: 'transaction', search: ['coffee'], limit: 5 },
  },
  effect: 'read',
  rate: { limit: 300, windowMs: 60_000 },
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 10_000,
    deterministic: true,
    why: 'filters and keyword search see writes immediately; semantic search sees them after embedding',
  },
  input: z.strictObject({
    type: recordType.optional(),
    properties: propertyMap.optional().describe('All must equal the given values'),
    limit: z.int().min(1).max(listCount).default(recordsDefaultCount),
    offset: z.int().min(0).max(offsetCount).default(0),
    search: z.array(z.string().max(termChars).regex(/\S/, 'must not be blank')).max(termsCount).optional(),
    search_mode: z.enum(modes).default('both'),
    similarity_threshold: z.number().min(0).max(1).default(0.7),
    query_embedding: embedding.optional(),
  }),
  output: z.object({
    records: z.array(recordView.extend({ similarity: z.number().optional() })),
    total: z.int().describe('Number of matches before the limit, counted up to a maximum'),
    search_mode_used: z.enum(modes).optional(),
    truncated: z.literal(true).optional().describe('A higher offset returns the rest'),
    hint: z.string().optional(),
  }),
  faults: ['VALIDATION_ERROR', 'SEARCH_FAILED', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'],
  run: ({ records }: { readonly records: Records }, input, call) => records.retrieve(input, call),
});
