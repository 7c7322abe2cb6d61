import { expect, test } from 'vitest';
import { cardFixture } from './card.fixture.ts';
import { findBudgetViolations } from './list-budget.ts';
import { loadCards } from './toolsets.ts';

const cardsFixture = (count: number, summary: string) =>
  Array.from({ length: count }, (_, i) =>
    cardFixture({ name: `pads/p${i}`, listedName: `pads_p${i}`, listed: true, summary }),
  );

test('the default list stays within its budget of tools and bytes', async () => {
  expect(findBudgetViolations(await loadCards())).toEqual([]);
});

test('finds a list of too many tools', () => {
  expect(findBudgetViolations(cardsFixture(20, 'Short.'))).toEqual([]);
  expect(findBudgetViolations(cardsFixture(21, 'Short.'))).toEqual(['21 tools are listed; the limit is 20']);
});

test('finds a list that is too large in bytes, not in characters', () => {
  expect(findBudgetViolations(cardsFixture(10, 'é'.repeat(700)))).toEqual([
    expect.stringMatching(/^the list has \d+ bytes; the limit is 12288$/),
  ]);
});

test('finds an empty list', () => {
  expect(findBudgetViolations([cardFixture()])).toEqual(['nothing is listed']);
});
