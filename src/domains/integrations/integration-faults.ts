import { defineFaults, fault } from '#kernel/fault/fault.ts';

/** Codes of the document that only this domain uses. */
export const integrationFaults = defineFaults({
  PROVIDER_NOT_FOUND: fault({
    rpc: -32602,
    http: 404,
    retryable: false,
    say: (p: { provider: string; nearest?: string }) =>
      `Unknown provider ${p.provider}${p.nearest === undefined ? '' : `; did you mean ${p.nearest}?`}`,
    fix: 'list_provider_catalog lists the providers.',
  }),
  CONNECTOR_NOT_FOUND: fault({
    rpc: -32602,
    http: 404,
    retryable: false,
    say: (p: { why: string }) => `Connector not found: ${p.why}`,
    fix: 'connectors_list shows what is connected; `fourfold connectors add` connects a provider.',
  }),
  SYNC_FAILED: fault({
    rpc: -32603,
    http: 500,
    retryable: true,
    say: (p: { why: string }) => `The sync failed: ${p.why}`,
    fix: 'Repeat the sync: it goes on where it stopped. If the service refuses the login, connect it again.',
  }),
  LOGIN_FAILED: fault({
    rpc: -32603,
    http: 502,
    retryable: false,
    say: (p: { why: string }) => `The login failed: ${p.why}`,
    fix: 'Connect it again with `fourfold connectors add`, and allow the access in the browser.',
  }),
});
