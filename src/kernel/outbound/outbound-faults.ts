import { defineFaults, fault } from '../fault/fault.ts';

/** None of them repeats the URL: its query may contain a secret. */
export const outboundFaults = defineFaults({
  OUTBOUND_REFUSED: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: (p: { why: string }) => `The request was not sent: ${p.why}`,
    fix: 'Use a public http or https address, or add the host to the setting outboundAllow.',
  }),
  OUTBOUND_FAILED: fault({
    rpc: -32603,
    http: 502,
    retryable: true,
    say: (p: { host: string; why: string }) => `${p.host} did not answer: ${p.why}`,
    fix: 'Check that the host is up and reachable from the server, then call again.',
  }),
  OUTBOUND_TIMEOUT: fault({
    rpc: -32001,
    http: 504,
    retryable: true,
    say: (p: { host: string; ms: number }) => `${p.host} took longer than ${p.ms} ms`,
    fix: 'Call again, or ask for less at once.',
  }),
});
