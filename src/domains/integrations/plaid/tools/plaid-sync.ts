import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { itemFilter, summary } from './plaid-fields.ts';

export const plaidSync = defineTool({
  name: 'plaid_sync',
  title: 'Fetch transactions of banks',
  summary:
    'Fetches new, changed and removed transactions of connected banks, and stores each as a fact with its source.',
  guide: {
    when: ['questions about recent spending or income', 'after connecting a bank'],
    not: ['you only want to see the connected banks: plaid_list_items'],
    example: { sync_all: true },
  },
  effect: 'create',
  idempotent: true,
  bulk: true,
  streams: true,
  rate: { limit: 5, windowMs: 60_000 },
  input: z.strictObject({
    ...itemFilter,
    sync_all: z.boolean().default(false).describe('All banks; one that fails does not stop the others'),
    force_full_sync: z.boolean().default(false).describe('From the first transaction; known ones add nothing'),
  }),
  output: z.object({
    syncs: z.array(
      z.object({
        plaid_item_id: z.string(),
        item_id: z.string(),
        status: z.enum(['success', 'failed']),
        summary,
        next_cursor: z.string(),
        error: z.string().optional(),
      }),
    ),
    total_synced_items: z.int(),
  }),
  faults: [
    'PLAID_NOT_CONFIGURED',
    'PLAID_ITEM_NOT_FOUND',
    'PLAID_API_ERROR',
    'SYNC_FAILED',
    'DB_QUERY_FAILED',
    'RATE_LIMIT_EXCEEDED',
  ],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 5_000,
    deterministic: true,
    why: 'transactions are indexed for search in the background',
  },
  findFailure({ syncs }) {
    const failed = syncs.filter(({ status }) => status === 'failed');
    return failed.length === 0 ? undefined : `${failed.length} of ${syncs.length} banks failed`;
  },
  run: ({ plaid }: Pick<Integrations, 'plaid'>, input, call) => plaid.sync(input, call),
});
