import type { Card } from '#kernel/tool/card.ts';

/** The date of the last change to this format; the document has 2025-08-25. */
const registryVersion = '2026-11-15';

export interface RegistryState {
  readonly generatedAt: string;
  readonly mutation: boolean;
  readonly readOnly: boolean;
}

/** The answer of meta/tools: the documented legacy lists and the machine-readable registry. */
export function describeRegistry(cards: readonly Card[], state: RegistryState) {
  const isMutation = (card: Card) => card.effect !== 'read';
  const isDisabled = (card: Card) => isMutation(card) && (state.readOnly || (card.gated && !state.mutation));
  const line = (card: Card) => ({ method: card.name, stable: card.stable, mutation: isMutation(card) });
  return {
    tools: cards.map((card) => (isDisabled(card) ? { ...line(card), disabled: true as const } : line(card))),
    stable: { tools: cards.filter((card) => card.stable).map(line) },
    dynamic: {
      generatedAt: state.generatedAt,
      mutationEnabled: state.mutation && !state.readOnly,
      disabled: cards.filter(isDisabled).map((card) => ({ method: card.name })),
    },
    mcp: {
      registryVersion,
      tools: cards.map((card) => ({
        name: card.name,
        description: card.summary,
        stable: card.stable,
        mutation: isMutation(card),
        inputSchema: card.inputSchema,
        outputSchema: card.outputSchema,
        ...(card.guarantees === undefined ? {} : { guarantees: card.guarantees }),
      })),
    },
  };
}
