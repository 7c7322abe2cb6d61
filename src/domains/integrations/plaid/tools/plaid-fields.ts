import { z } from 'zod';
import { plaidLimits } from '../plaid-limits.ts';

const id = z.string().min(1).max(plaidLimits.idChars);

/** Names one connected bank. */
export const itemFilter = {
  plaid_item_id: id.optional().describe('id of plaid_list_items'),
  item_id: id.optional().describe("Plaid's id"),
};

export const summary = z.object({
  added: z.int().describe('New transactions'),
  modified: z.int(),
  removed: z.int().describe('Kept with the status removed'),
});
