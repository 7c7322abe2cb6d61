import type { Caller } from '../call.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Card } from './card.ts';
import type { Effect, Surface } from './tool.ts';

/** What the running program permits, for every caller. */
export interface Permits {
  readonly mutation: boolean;
  readonly readOnly: boolean;
}

/** Scopes are ordered: admin may write, write may read. */
const rank = { read: 0, write: 1, admin: 2 } as const;

const mayUse = (caller: Caller, card: Card): boolean => {
  for (const scope of caller.scopes) if (rank[scope] >= rank[card.scope]) return true;
  return false;
};

/** The tool that a forwarding tool calls is checked itself. */
const isWrite = ({ effect, forwards }: Card): boolean => effect !== 'read' && forwards === false;

/** The gate is asked first: while it is shut, arguments and scopes do not matter. A read-only server says so instead. */
export function findGateFault(card: Card, { mutation, readOnly }: Permits): Fault | undefined {
  if (!card.gated || !isWrite(card) || mutation || readOnly) return undefined;
  const fix = card.guide.whileShut;
  return faults.MUTATION_DISABLED({ tool: card.name }, { tool: card.name, ...(fix !== undefined && { fix }) });
}

/** The gate restrains agents. A person at the command line or in the dashboard may change the catalog. */
export const permitsAt = (surface: Surface | undefined, { scopes, isSignedIn }: Caller, permits: Permits): Permits =>
  (surface === 'cli' || isSignedIn) && scopes.has('admin') ? { ...permits, mutation: true } : permits;

/** Why this caller may not call this tool now, or undefined. The one check for every surface and every inner call. */
export function findAccessFault(card: Card, caller: Caller, permits: Permits): Fault | undefined {
  const gateFault = findGateFault(card, permits);
  if (gateFault !== undefined) return gateFault;
  if (!mayUse(caller, card)) {
    return faults.PERMISSION_DENIED(
      { why: `${card.name} requires the scope ${card.scope}` },
      {
        scope: card.scope,
        fix: `Use a key with the scope ${card.scope}; an administrator creates one with fourfold keys create <name> --scopes ${card.scope}.`,
      },
    );
  }
  return permits.readOnly && isWrite(card) ? faults.READ_ONLY({ tool: card.name }) : undefined;
}

const effects: readonly Effect[] = ['read', 'create', 'update', 'delete'];

/** The strongest effect among the tools that a forwarding tool reaches. */
export function strongestEffect(
  { forwards }: Card,
  cards: readonly Card[],
  isEnabled: (card: Card) => boolean,
): Effect {
  const reached = cards.filter(
    (card) =>
      card.forwards === false && (typeof forwards !== 'string' || card.name.startsWith(forwards)) && isEnabled(card),
  );
  return effects[Math.max(0, ...reached.map(({ effect }) => effects.indexOf(effect)))]!;
}

const isEnabled = (card: Card, { mutation, readOnly }: Permits): boolean =>
  card.effect === 'read' || (!readOnly && (mutation || !card.gated));

/** A forwarding tool gets the effect of the strongest enabled tool, and its hints follow. */
export function withForwardedEffects(cards: readonly Card[], permits: Permits): readonly Card[] {
  return cards.map((card) =>
    card.forwards === false
      ? card
      : { ...card, effect: strongestEffect(card, cards, (other) => isEnabled(other, permits)) },
  );
}
