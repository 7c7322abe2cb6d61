import { defineTool } from '#kernel/tool/tool.ts';
import { recordView, storeInput } from '../record.ts';
import type { Records } from '../records.ts';

export const storeRecord = defineTool({
  name: 'store_record',
  title: 'Store a record',
  summary: 'Deprecated, use submit_payload instead. Stores a typed record with properties.',
  guide: {
    when: ['an older client needs mutable records'],
    not: ['anything new: submit_payload also stores the source of each fact'],
    example: { type: 'transaction', properties: { amount: 100, merchant: 'Acme' } },
  },
  effect: 'create',
  rate: { limit: 100, windowMs: 60_000 },
  guarantees: { consistency: 'strong', deterministic: true },
  input: storeInput,
  output: recordView,
  faults: ['VALIDATION_ERROR', 'DB_INSERT_FAILED', 'SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'],
  run: ({ records }: { readonly records: Records }, input, call) => records.store(input, call),
});
