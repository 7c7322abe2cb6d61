import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { plaidLimits } from '../plaid-limits.ts';

const { idChars, clientNameChars, productsCount } = plaidLimits;

export const plaidCreateLinkToken = defineTool({
  name: 'plaid_create_link_token',
  title: 'Connect a bank',
  summary: 'Creates a token for Plaid Link, where a person connects a bank or logs in to it again.',
  guide: {
    when: ['a person wants to connect a bank', 'a sync says that a bank asks for a new login: give plaid_item_id'],
    not: ['Plaid Link has answered with a public token: plaid_exchange_public_token'],
    example: { products: ['transactions'] },
  },
  effect: 'create',
  audit: 'none',
  input: z.strictObject({
    user_id: z.string().min(1).max(idChars).optional().describe('An id of the person, not a name'),
    client_name: z.string().min(1).max(clientNameChars).optional().describe('Shown in Plaid Link; default: Fourfold'),
    access_token: z.string().min(1).max(idChars).optional().describe('For update mode, if you have one'),
    plaid_item_id: z.string().min(1).max(idChars).optional().describe('For update mode of a connected bank'),
    products: z
      .array(z.string().regex(/^[a-z_]{1,60}$/))
      .min(1)
      .max(productsCount)
      .optional()
      .describe('Default: transactions'),
    redirect_uri: z.string().min(1).max(2_000).optional().describe('For banks that use OAuth'),
  }),
  output: z.object({ link_token: z.string(), expiration: z.string().describe('ISO 8601') }),
  faults: ['PLAID_NOT_CONFIGURED', 'PLAID_INVALID_TOKEN', 'PLAID_API_ERROR', 'PLAID_ITEM_NOT_FOUND'],
  guarantees: { consistency: 'strong', deterministic: false, why: 'Plaid makes a new token for each call' },
  run: ({ plaid }: Pick<Integrations, 'plaid'>, input, call) => plaid.createLinkToken(input, call),
});
