import { defineFaults, fault } from '../fault/fault.ts';

export const workerFaults = defineFaults({
  WORKERS_BUSY: fault({
    rpc: -32001,
    http: 503,
    retryable: true,
    say: (p: { waiting: number }) => `Too many jobs are waiting (${p.waiting})`,
    fix: 'Call again in a moment, with fewer calls at a time.',
  }),
  JOB_TIMEOUT: fault({
    rpc: -32001,
    http: 422,
    retryable: false,
    say: (p: { what: string; ms: number; isCpu?: boolean }) =>
      `${p.what} took longer than ${p.ms} ms${p.isCpu === true ? ' of CPU time' : ''} and was stopped`,
    fix: 'Make the pattern, schema or text simpler or smaller.',
  }),
  JOB_MEMORY: fault({
    rpc: -32001,
    http: 422,
    retryable: false,
    say: (p: { what: string; mb: number }) => `${p.what} needed more than ${p.mb} MB of memory and was stopped`,
    fix: 'Make the pattern, schema or text simpler or smaller.',
  }),
});
