import type { Card } from '#kernel/tool/card.ts';

/** Toolsets whose document promises consistency and determinism for each action. */
const promising: ReadonlySet<string> = new Set(['truth']);

function findInCard({ toolset, guarantees }: Card): readonly string[] {
  if (guarantees === undefined) return promising.has(toolset) ? ['says nothing of consistency and determinism'] : [];
  const { consistency, delayMaxMs, deterministic, why } = guarantees;
  return [
    ...(consistency === 'bounded' && delayMaxMs === undefined ? ['is bounded by no time'] : []),
    ...(consistency === 'strong' && delayMaxMs !== undefined ? ['is strong and has a delay'] : []),
    ...(deterministic || why !== undefined ? [] : ['is not deterministic and does not say why']),
  ];
}

/** What a document promises for each tool, said by each tool and without contradiction. */
export const findGuaranteeViolations = (cards: readonly Card[]): readonly string[] =>
  cards.flatMap((card) => findInCard(card).map((violation) => `${card.name}: ${violation}`));
