import { expect, test } from 'vitest';
import { cardFixture } from './card.fixture.ts';
import { findBudgetViolations } from './list-budget.ts';
import { loadCards } from './toolsets.ts';

const plantMany = (count: number, summary: string) =>
  Array.from({ length: count }, (_, i) =>
    cardFixture({ name: `pads/p${i}`, listedName: `pads_p${i}`, listed: true, summary }),
  );

test('the default list keeps to its budget of tools and bytes', async () => {
  expect(findBudgetViolations(await loadCards())).toEqual([]);
});

test('a list of too many tools is found', () => {
  expect(findBudgetViolations(plantMany(20, 'Short.'))).toEqual([]);
  expect(findBudgetViolations(plantMany(21, 'Short.'))).toEqual(['21 tools are listed; 20 may be']);
});

test('a list of too many bytes is found, in bytes and not in characters', () => {
  expect(findBudgetViolations(plantMany(10, 'é'.repeat(700)))).toEqual([
    expect.stringMatching(/^the list has \d+ bytes; 12288 may be$/),
  ]);
});

test('an empty list is found', () => {
  expect(findBudgetViolations([cardFixture()])).toEqual(['nothing is listed']);
});
