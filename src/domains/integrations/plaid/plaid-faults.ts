import { defineFaults, fault } from '#kernel/fault/fault.ts';

/** Codes of the document (sections 3.12 and 3.8 to 3.10). */
export const plaidFaults = defineFaults({
  PLAID_NOT_CONFIGURED: fault({
    rpc: -32603,
    http: 503,
    retryable: false,
    say: (p: { missing: string }) => `Plaid is not configured: ${p.missing}`,
    fix: 'Set plaidClientId and plaidSecret (or plaidSecretFile), choose plaidEnvironment, and restart the server.',
  }),
  PLAID_INVALID_TOKEN: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'A public token is valid for 30 minutes and for one exchange: call plaid_create_link_token and connect the bank again.',
  }),
  PLAID_API_ERROR: fault({
    rpc: -32603,
    http: 500,
    retryable: true,
    say: (p: { why: string }) => `Plaid: ${p.why}`,
    fix: 'Follow the message, or call again later. What was stored before the failure stays, and the next call continues there.',
  }),
  PLAID_ITEM_NOT_FOUND: fault({
    rpc: -32602,
    http: 404,
    retryable: false,
    say: () => 'No connected bank has this id',
    fix: 'plaid_list_items lists the connected banks; plaid_create_link_token starts connecting one.',
  }),
});
