import type { Card } from './card.ts';

/**
 * The two in the middle mean something only for a tool that writes, so a tool that reads has none. That repeating a call does
 * more is what a client assumes.
 */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** Hints follow from the effect; nobody writes them by hand. */
export const toAnnotations = ({ effect, idempotent }: Pick<Card, 'effect' | 'idempotent'>): Annotations =>
  effect === 'read'
    ? { readOnlyHint: true, openWorldHint: false }
    : {
        readOnlyHint: false,
        destructiveHint: effect === 'update' || effect === 'delete',
        ...(idempotent ? { idempotentHint: true } : {}),
        openWorldHint: false,
      };
