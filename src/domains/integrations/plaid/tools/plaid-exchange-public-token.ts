import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { plaidLimits } from '../plaid-limits.ts';
import { summary } from './plaid-fields.ts';

export const plaidExchangePublicToken = defineTool({
  name: 'plaid_exchange_public_token',
  title: 'Finish connecting a bank',
  summary:
    'Exchanges the public token of Plaid Link and stores the bank. The access token is encrypted and never shown.',
  guide: {
    when: ['Plaid Link has answered with a public token'],
    not: ['the bank was connected before and only needs a new login: plaid_sync'],
    example: { public_token: 'public-sandbox-5c224a01-8314-4491-a06f-39e193d5cddc', trigger_initial_sync: true },
  },
  effect: 'create',
  idempotent: true,
  deadlineMs: plaidLimits.exchangeDeadlineMs,
  streams: true,
  input: z.strictObject({
    public_token: z.string().min(1).max(plaidLimits.idChars),
    trigger_initial_sync: z.boolean().default(false).describe('Also fetches the transactions'),
  }),
  output: z.object({
    plaid_item: z.object({
      id: z.string().describe('plaid_item_id of the other tools'),
      item_id: z.string(),
      institution_name: z.string(),
      accounts: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), subtype: z.string() })),
    }),
    sync_summary: summary.optional(),
    sync_error: z.string().optional().describe('The bank is connected, but the first sync failed'),
  }),
  faults: [
    'PLAID_NOT_CONFIGURED',
    'PLAID_INVALID_TOKEN',
    'PLAID_API_ERROR',
    'DB_INSERT_FAILED',
    'DB_QUERY_FAILED',
    'RESOURCE_LIMIT',
  ],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ plaid }: Pick<Integrations, 'plaid'>, input, call) => plaid.exchange(input, call),
});
