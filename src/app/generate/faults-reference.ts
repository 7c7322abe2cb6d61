import type { FaultKind } from '#kernel/fault/fault.ts';

const intro = `# Faults

Every expected failure of the program. The number is the JSON-RPC code for protocol revisions up to 2025-11-25; newer
revisions reserve -32000 to -32099, where ours become -31000 to -31099. A call that failed with a retryable fault may be
sent again as it is.
`;

const section = ({ code, rpc, http, retryable, fix }: FaultKind): string => `## ${code}

JSON-RPC ${rpc}, HTTP ${http}, ${retryable ? 'retryable' : 'not retryable'}.

${fix}
`;

/** docs/reference/faults.md: the place that \`data.documentation\` of a fault points to. */
export const renderFaultsReference = (kinds: readonly FaultKind[]): string => [intro, ...kinds.map(section)].join('\n');
