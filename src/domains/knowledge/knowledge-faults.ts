import { defineFaults, fault } from '#kernel/fault/fault.ts';

export const knowledgeFaults = defineFaults({
  BAD_KNOWLEDGE_FILE: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { file: string; why: string }) => `${p.file} is not a valid knowledge file: ${p.why}`,
    fix: 'Correct the file in the knowledgeDirs folder. If it belongs to the program, reinstall the program.',
  }),
  UNKNOWN_LIBRARY: fault({
    rpc: -32602,
    http: 404,
    retryable: false,
    say: (p: { why: string; known: string }) => `${p.why}; known: ${p.known}`,
    fix: 'Use a known name, with a version or a range (zod@3.23, zod@^4), or without one; knowledge_ingest adds a library.',
  }),
  INVALID_SERVICE: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'Give the service a name of letters and digits and at least one field, each with a unique name and a known type.',
  }),
});
