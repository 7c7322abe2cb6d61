import { defineFaults, fault } from '../../fault/fault.ts';

export const postgresFaults = defineFaults({
  STORE_SETUP: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { why: string }) => `The database is not set up for Fourfold: ${p.why}`,
    fix: 'Let an administrator of the database do what the message names, then start again.',
  }),
});
