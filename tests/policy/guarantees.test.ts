import { expect, test } from 'vitest';
import { cardFixture } from './card.fixture.ts';
import { findGuaranteeViolations } from './guarantees.ts';
import { loadCards } from './toolsets.ts';

test('every tool whose document promises consistency and determinism says what it promises', async () => {
  const cards = await loadCards();
  expect(cards.filter(({ toolset }) => toolset === 'truth')).not.toEqual([]);
  expect(findGuaranteeViolations(cards)).toEqual([]);
});

test('a tool that promises nothing is found where a promise is due, and nowhere else', () => {
  expect(findGuaranteeViolations([cardFixture({ toolset: 'truth' })])).toEqual([
    'pads/keepOne: says nothing of consistency and determinism',
  ]);
  expect(findGuaranteeViolations([cardFixture()])).toEqual([]);
});

test.for([
  ['is bounded by no time', { consistency: 'bounded', deterministic: true }],
  ['is strong and has a delay', { consistency: 'strong', delayMaxMs: 5000, deterministic: true }],
  ['is not deterministic and does not say why', { consistency: 'strong', deterministic: false }],
] as const)('a promise that contradicts itself is found: %s', ([violation, guarantees]) => {
  expect(findGuaranteeViolations([cardFixture({ guarantees })])).toEqual([`pads/keepOne: ${violation}`]);
});

test('promises that hold together pass', () => {
  expect(
    findGuaranteeViolations([
      cardFixture({ toolset: 'truth', guarantees: { consistency: 'strong', deterministic: true } }),
      cardFixture({ guarantees: { consistency: 'bounded', delayMaxMs: 5000, deterministic: false, why: 'a model' } }),
    ]),
  ).toEqual([]);
});
