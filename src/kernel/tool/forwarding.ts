import type { Card } from './card.ts';
import type { Permits } from './gate.ts';
import type { Effect } from './tool.ts';

const strength: Readonly<Record<Effect, number>> = { read: 0, create: 1, update: 2, delete: 3 };

const isEnabled = (card: Card, { mutation, readOnly }: Permits): boolean =>
  card.effect === 'read' || (!readOnly && (mutation || !card.gated));

/** A forwarding tool can do whatever the strongest tool enabled now can do, and its hints say so. */
export function settleForwarding(cards: readonly Card[], permits: Permits): readonly Card[] {
  const effects = cards.filter((card) => !card.forwards && isEnabled(card, permits)).map((card) => card.effect);
  const strongest = effects.reduce<Effect>((a, b) => (strength[b] > strength[a] ? b : a), 'read');
  return cards.map((card) => (card.forwards ? { ...card, effect: strongest } : card));
}
