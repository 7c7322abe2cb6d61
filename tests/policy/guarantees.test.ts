import { expect, test } from 'vitest';
import type { Card } from '#kernel/tool/card.ts';
import { cardFixture } from './card.fixture.ts';
import { loadCards } from './toolsets.ts';

/** Toolsets whose document states consistency and determinism for each action. */
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

/** Each tool of such a toolset states its guarantees without contradiction. */
const findGuaranteeViolations = (cards: readonly Card[]): readonly string[] =>
  cards.flatMap((card) => findInCard(card).map((violation) => `${card.name}: ${violation}`));

test('every tool of a documented toolset states its consistency and determinism', async () => {
  const cards = await loadCards();
  expect(cards.filter(({ toolset }) => toolset === 'truth')).not.toEqual([]);
  expect(findGuaranteeViolations(cards)).toEqual([]);
});

test('finds a tool without guarantees only in those toolsets', () => {
  expect(findGuaranteeViolations([cardFixture({ toolset: 'truth' })])).toEqual([
    'pads/keepOne: says nothing of consistency and determinism',
  ]);
  expect(findGuaranteeViolations([cardFixture()])).toEqual([]);
});

test.for([
  ['is bounded by no time', { consistency: 'bounded', deterministic: true }],
  ['is strong and has a delay', { consistency: 'strong', delayMaxMs: 5000, deterministic: true }],
  ['is not deterministic and does not say why', { consistency: 'strong', deterministic: false }],
] as const)('rejects contradicting guarantees: %s', ([violation, guarantees]) => {
  expect(findGuaranteeViolations([cardFixture({ guarantees })])).toEqual([`pads/keepOne: ${violation}`]);
});

test('accepts consistent guarantees', () => {
  expect(
    findGuaranteeViolations([
      cardFixture({ toolset: 'truth', guarantees: { consistency: 'strong', deterministic: true } }),
      cardFixture({ guarantees: { consistency: 'bounded', delayMaxMs: 5000, deterministic: false, why: 'a model' } }),
    ]),
  ).toEqual([]);
});
