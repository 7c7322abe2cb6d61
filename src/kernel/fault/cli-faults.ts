import { defineFaults, fault } from './fault.ts';

export const cliFaults = defineFaults({
  USAGE_ERROR: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'fourfold --help lists the commands, fourfold <command> --help the flags of one.',
  }),
});
