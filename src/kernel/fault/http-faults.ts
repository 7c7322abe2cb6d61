import { defineFaults, fault } from './fault.ts';

export const httpFaults = defineFaults({
  FOREIGN_HOST: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: () => 'This server does not answer to the name in the Host header',
    fix: 'Use the address the server printed, or add the name to the setting allowedHosts.',
  }),
  FOREIGN_ORIGIN: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: () => 'Pages of this origin may not call this server',
    fix: 'Add the origin to the setting allowedOrigins, scheme and port included.',
  }),
  METHOD_NOT_ALLOWED: fault({
    rpc: -32600,
    http: 405,
    retryable: false,
    say: (p: { allowed: string }) => `This address takes ${p.allowed} only`,
    fix: 'Use one of the methods that the Allow header names.',
  }),
  UNSUPPORTED_MEDIA: fault({
    rpc: -32600,
    http: 415,
    retryable: false,
    say: () => 'The body must be JSON',
    fix: 'Send "Content-Type: application/json".',
  }),
  TOO_MANY_STREAMS: fault({
    rpc: -32001,
    http: 503,
    retryable: true,
    say: (p: { limit: number }) => `At most ${p.limit} event streams are served at once`,
    fix: 'Close a stream that is not needed, or call again later.',
  }),
});
