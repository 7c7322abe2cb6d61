import type { Caller } from '../call.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Card } from './card.ts';

/** What the running program permits, whoever asks. */
export interface Permits {
  readonly mutation: boolean;
  readonly readOnly: boolean;
}

/** The strongest scope wins: admin may write, write may read. */
const rank = { read: 0, write: 1, admin: 2 } as const;

const mayUse = (caller: Caller, card: Card): boolean => {
  for (const scope of caller.scopes) if (rank[scope] >= rank[card.scope]) return true;
  return false;
};

/** Why this caller may not call this tool now, or undefined. One place, for every surface and every inner call. */
export function refusal(card: Card, caller: Caller, permits: Permits): Fault | undefined {
  if (!mayUse(caller, card)) {
    return faults.PERMISSION_DENIED({ why: `${card.name} needs the scope ${card.scope}` }, { scope: card.scope });
  }
  // What a forwarding tool calls passes here on its own account.
  if (card.effect === 'read' || card.forwards) return undefined;
  if (permits.readOnly) return faults.READ_ONLY({ tool: card.name });
  if (card.gated && !permits.mutation) return faults.MUTATION_DISABLED({ tool: card.name }, { tool: card.name });
  return undefined;
}
