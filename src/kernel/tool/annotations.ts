import type { Card } from './card.ts';

export interface Annotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Hints follow from the effect; nobody writes them by hand. */
export const toAnnotations = (card: Card): Annotations => ({
  title: card.title,
  readOnlyHint: card.effect === 'read',
  destructiveHint: card.effect === 'update' || card.effect === 'delete',
  idempotentHint: card.idempotent,
  openWorldHint: false,
});
