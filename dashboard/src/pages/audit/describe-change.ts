import type { Output } from '../../api/call.ts';

export type AuditRow = Output<'audit_list'>['rows'][number];

/** The words of the screen for the kinds of items in the trail. */
const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  instruction: ['rule', 'rules'],
  'instruction-proposal': ['proposal', 'proposals'],
  feedback: ['feedback entry', 'feedback entries'],
  library: ['library', 'libraries'],
  scratchpad: ['notebook', 'notebooks'],
  'scratchpad-cell': ['cell', 'cells'],
  'scratchpad-schema': ['notebook schema', 'notebook schemas'],
  'scratch-namespace': ['namespace', 'namespaces'],
  entity: ['entity', 'entities'],
  payload: ['document', 'documents'],
  submission: ['statement', 'statements'],
  correction: ['correction', 'corrections'],
  contradiction: ['contradiction', 'contradictions'],
  relationship: ['relationship', 'relationships'],
  'relationship-type': ['relationship type', 'relationship types'],
  record: ['record', 'records'],
  file: ['file', 'files'],
  'truth-schema': ['schema', 'schemas'],
  capability: ['capability', 'capabilities'],
  connector: ['connector', 'connectors'],
  api_keys: ['key', 'keys'],
  tenant: ['tenant', 'tenants'],
};

export const topics = Object.keys(nouns);

export function nounOf(topic: string, count = 1): string {
  const [one, many] = nouns[topic] ?? [topic, topic];
  return count === 1 ? one : many;
}

const verbs = { create: 'created', update: 'changed', delete: 'removed' } as const;

/** What tools do that no change of an item says. */
const verbsOfTools: Readonly<Record<string, string>> = {
  'keys/sign-in create': 'signed in with',
  'keys/sign-in update': 'used',
  'keys/revoke update': 'revoked',
};

export const verbOf = ({ tool, what }: Pick<AuditRow, 'tool' | 'what'>): string =>
  verbsOfTools[`${tool} ${what}`] ?? verbs[what];

export const isSignIn = (tool: string): boolean => tool === 'keys/sign-in';

/** "revoked key": what was done to an item, in words. */
export const deedOf = (row: Pick<AuditRow, 'tool' | 'what' | 'topic'>): string => `${verbOf(row)} ${nounOf(row.topic)}`;

const withOwnPage: ReadonlySet<string> = new Set([
  'instruction',
  'library',
  'scratchpad',
  'entity',
  'api_keys',
  'connector',
  'tenant',
]);

/** Its id or name says something to a person. */
export const hasOwnPage = (topic: string): boolean => withOwnPage.has(topic);

/** Only a sign-in link that has ended has no name any more. */
export const labelOf = (
  topic: string,
  { id, name }: { readonly id: string; readonly name?: string | undefined },
): string => name ?? (topic === 'api_keys' ? 'sign-in link' : id);

/** Ids that the program made say nothing to a person. */
const madeId = /^([a-z]{2,4}_)?([0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{16})/;

/** The label, unless only an id is known that the program made. A cell without a name of its own is named by its pad. */
export function tellingLabelOf(topic: string, change: Parameters<typeof labelOf>[1]): string | undefined {
  const label = labelOf(topic, change);
  const [pad = '', cell = ''] = topic === 'scratchpad-cell' ? label.split('/') : [];
  if (madeId.test(cell)) return `in ${pad}`;
  return madeId.test(label) ? undefined : label;
}

const at = (place: string, id: string): string => `${place}/${encodeURIComponent(id)}`;

/** The page of an item; undefined if it has none. */
export function placeOf(topic: string, id: string): string | undefined {
  switch (topic) {
    case 'instruction':
      return at('/instructions', id);
    case 'instruction-proposal':
      return at('/instructions/-/proposals', id);
    case 'library':
      return '/knowledge';
    case 'scratchpad':
      return at('/notebooks', id);
    case 'scratchpad-cell': {
      const [pad = '', cell = ''] = id.split('/');
      return `${at('/notebooks', pad)}?cell=${encodeURIComponent(cell)}`;
    }
    case 'entity':
      return at('/truth', id);
    case 'contradiction':
      return `/truth/contradictions?${new URLSearchParams({ status: 'all', id }).toString()}`;
    case 'record':
      return `/truth/records?${new URLSearchParams({ id }).toString()}`;
    case 'connector':
      return '/settings/connectors';
    case 'api_keys':
      return '/settings/keys';
    case 'tenant':
      return '/settings/tenants';
    default:
      return undefined;
  }
}
