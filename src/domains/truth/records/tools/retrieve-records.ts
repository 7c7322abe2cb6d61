import { defineTool } from '#kernel/tool/tool.ts';
import { retrieveAnswer, retrieveInput } from '../record.ts';
import type { Records } from '../records.ts';

export const retrieveRecords = defineTool({
  name: 'retrieve_records',
  title: 'Retrieve records',
  summary:
    'Deprecated, use get_entity_snapshot and list_observations instead. Finds records by type, properties, keyword and semantic search.',
  guide: {
    when: ['you look for records of an older client or an uploaded file'],
    not: ['you want to know about an entity: retrieve_entities, get_entity_snapshot'],
    example: { type: 'transaction', query: 'coffee', limit: 5 },
  },
  effect: 'read',
  rate: { limit: 300, windowMs: 60_000 },
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 10_000,
    deterministic: true,
    why: 'filters and keyword search see writes immediately; semantic search sees them after embedding',
  },
  input: retrieveInput,
  output: retrieveAnswer,
  faults: [
    'INVALID_PARAMS',
    'VALIDATION_ERROR',
    'SEARCH_FAILED',
    'DB_QUERY_FAILED',
    'SERVICE_UNAVAILABLE',
    'RATE_LIMIT_EXCEEDED',
  ],
  run: ({ records }: { readonly records: Records }, input, call) => records.retrieve(input, call),
});
