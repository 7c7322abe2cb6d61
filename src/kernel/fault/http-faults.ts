import { defineFaults, fault } from './fault.ts';

export const httpFaults = defineFaults({
  FOREIGN_HOST: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: () => 'The Host header names a host that this server does not accept',
    fix: 'Use the URL that the server printed, or add the host to the allowedHosts setting.',
  }),
  FOREIGN_ORIGIN: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: () => 'Pages of this origin may not call this server',
    fix: 'Add the origin, with scheme and port, to the allowedOrigins setting.',
  }),
  METHOD_NOT_ALLOWED: fault({
    rpc: -32600,
    http: 405,
    retryable: false,
    say: (p: { allowed: string }) => `This path accepts only ${p.allowed}`,
    fix: 'Use one of the methods in the Allow header.',
  }),
  UNSUPPORTED_MEDIA: fault({
    rpc: -32600,
    http: 415,
    retryable: false,
    say: () => 'The body must be JSON',
    fix: 'Send "Content-Type: application/json".',
  }),
  UNSUPPORTED_ENCODING: fault({
    rpc: -32600,
    http: 415,
    retryable: false,
    say: () => 'The body must not be compressed',
    fix: 'Send the body as it is, without a Content-Encoding header.',
  }),
  TOO_MANY_STREAMS: fault({
    rpc: -32001,
    http: 503,
    retryable: true,
    say: (p: { limit: number }) => `At most ${p.limit} event streams may be open`,
    fix: 'Close an unused stream, or try again later.',
  }),
});
