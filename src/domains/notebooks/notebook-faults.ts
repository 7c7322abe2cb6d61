import { defineFaults, fault } from '#kernel/fault/fault.ts';

export const notebookFaults = defineFaults({
  VALIDATION_TIMEOUT: fault({
    rpc: -32001,
    http: 422,
    retryable: false,
    say: (p: { ms: number }) => `The validation took longer than ${p.ms} ms and was stopped`,
    fix: 'Validate fewer cells per call, simplify the schema, or raise the validation timeout.',
  }),
  INVALID_ID: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'Use an id of 1 to 128 letters, digits, hyphens and underscores; scratch_list and scratch_list_cells show existing ids.',
  }),
  INVALID_INDEX: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'Count cells from 0; scratch_list_cells shows them all.',
  }),
  CAPACITY_LIMIT_REACHED: fault({
    rpc: -32001,
    http: 413,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'Delete data that is no longer needed, send less, or raise the limit; details.limit is its current value.',
  }),
});
