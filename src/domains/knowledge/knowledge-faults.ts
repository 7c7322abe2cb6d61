import { defineFaults, fault } from '#kernel/fault/fault.ts';

export const knowledgeFaults = defineFaults({
  BAD_KNOWLEDGE_FILE: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { file: string; why: string }) => `${p.file} cannot be read as knowledge: ${p.why}`,
    fix: 'Correct the file in that folder of knowledgeDirs; a broken file of the program itself is mended by installing it again.',
  }),
  INVALID_SERVICE: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'Give the service a name of letters and digits and at least one field, each with a name of its own and a known type.',
  }),
});
