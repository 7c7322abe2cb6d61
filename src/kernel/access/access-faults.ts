import { defineFaults, fault } from '../fault/fault.ts';

export const accessFaults = defineFaults({
  IDENTITY_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: () => 'The keys of the authorization server could not be fetched, so the token could not be verified',
    fix: 'Call again in a moment; if it keeps failing, check the JWKS URL in the settings and that this server can reach it.',
  }),
  SIGN_IN_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: () => 'The authorization server could not be asked',
    fix: 'Try again in a moment, or sign in with a key; the log of the server says what failed.',
  }),
});
