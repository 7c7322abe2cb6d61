import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { itemFilter } from './plaid-fields.ts';

export const plaidListItems = defineTool({
  name: 'plaid_list_items',
  title: 'List connected banks',
  summary: 'Lists the banks that are connected through Plaid, with their status. Never shows access tokens.',
  guide: { when: ['you need the id of a bank, or want to know when it was last synced'], example: {} },
  effect: 'read',
  input: z.strictObject(itemFilter),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        item_id: z.string(),
        institution_id: z.string(),
        institution_name: z.string(),
        products: z.array(z.string()),
        last_successful_sync: z.string().nullable(),
        status: z.enum(['active', 'error', 'revoked']),
      }),
    ),
  }),
  faults: ['DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ plaid }: Pick<Integrations, 'plaid'>, input, call) => plaid.list(input, call),
});
