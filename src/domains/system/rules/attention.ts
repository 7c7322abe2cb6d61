import type { Caller } from '#kernel/call.ts';
import { isOperator } from './operator.ts';
import type { PlaceName } from './places.ts';

/** What may need a person, in the order in which it is shown. */
export const attentionKinds = [
  'store',
  'damage',
  'files',
  'jobs',
  'proposals',
  'contradictions',
  'duplicates',
  'reviews',
  'gates',
  'connectors',
  'embedding',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** `problem`: something is wrong; `decision`: a person decides; `progress`: it ends by itself. */
export type Severity = 'problem' | 'decision' | 'progress';

interface AttentionText {
  readonly memory: PlaceName;
  readonly severity: Severity;
  readonly isFor?: (caller: Caller) => boolean;
  /** The tool that lists the items. */
  readonly tool: string;
  readonly one: string;
  /** Follows the number. */
  readonly many: string;
}

export const attentionTexts: Readonly<Record<AttentionKind, AttentionText>> = {
  store: {
    memory: 'system',
    severity: 'problem',
    tool: 'health/check',
    one: 'The store does not accept writes',
    many: 'problems of the store',
  },
  damage: {
    memory: 'system',
    severity: 'problem',
    isFor: isOperator,
    tool: 'jobs/list',
    one: '1 item does not match its hash; fourfold doctor --deep names it',
    many: 'items do not match their hashes; fourfold doctor --deep names them',
  },
  files: {
    memory: 'instructions',
    severity: 'problem',
    tool: 'instructions/dir',
    one: '1 instruction file cannot be served',
    many: 'instruction files cannot be served',
  },
  jobs: {
    memory: 'system',
    severity: 'problem',
    isFor: isOperator,
    tool: 'jobs/list',
    one: '1 background job failed in its last run',
    many: 'background jobs failed in their last run',
  },
  proposals: {
    memory: 'instructions',
    severity: 'decision',
    tool: 'instructions/proposals',
    one: '1 proposed rule waits for a decision',
    many: 'proposed rules wait for a decision',
  },
  contradictions: {
    memory: 'truth',
    severity: 'decision',
    tool: 'list_contradictions',
    one: '1 contradiction between statements is open',
    many: 'contradictions between statements are open',
  },
  duplicates: {
    memory: 'truth',
    severity: 'decision',
    tool: 'list_potential_duplicates',
    one: '1 group of entities may be duplicates',
    many: 'groups of entities may be duplicates',
  },
  reviews: {
    memory: 'instructions',
    severity: 'decision',
    tool: 'instructions/inspect',
    one: '1 rule is due for review',
    many: 'rules are due for review',
  },
  gates: {
    memory: 'instructions',
    severity: 'decision',
    tool: 'gates/evaluate',
    one: '1 gate fails',
    many: 'gates fail',
  },
  connectors: {
    memory: 'integrations',
    severity: 'problem',
    tool: 'connectors_list',
    one: '1 connector failed in its last run',
    many: 'connectors failed in their last run',
  },
  embedding: {
    memory: 'system',
    severity: 'progress',
    tool: 'jobs/list',
    one: '1 text waits for semantic search; keyword search finds it',
    many: 'texts wait for semantic search; keyword search finds them',
  },
};

export interface AttentionCount {
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore?: boolean;
  /** Follows the sentence. */
  readonly reason?: string | undefined;
}

export function attentionText(kind: AttentionKind, { count, isMore, reason }: AttentionCount): string {
  const { one, many } = attentionTexts[kind];
  const said = count === 1 && isMore !== true ? one : `${count}${isMore === true ? ' or more' : ''} ${many}`;
  return reason === undefined ? said : `${said}: ${reason}`;
}
