import { expect, test } from 'vitest';
import { allCards } from '#app/generate/generate.ts';
import { cardFixture } from './card.fixture.ts';
import { findToolNameViolations } from './tool-names.ts';
import { loadCards } from './toolsets.ts';

test('every tool has a name that clients accept and that means it alone', async () => {
  const cards = await loadCards();
  expect(cards.length).toBeGreaterThan(5);
  expect(findToolNameViolations(cards)).toEqual([]);
});

test('the program knows every toolset that stands in the tree', async () => {
  const names = (cards: readonly { name: string }[]) => cards.map(({ name }) => name).sort();
  expect(names(allCards())).toEqual(names(await loadCards()));
});

test.for(['Pads_keep', 'pads/keep', 'pads-keep', '1pads', `p${'a'.repeat(40)}`, ''])(
  '%o cannot be listed',
  (listedName) => {
    expect(findToolNameViolations([cardFixture({ listedName })])).toEqual([`${listedName} cannot be listed`]);
  },
);

test.for(['pads//keep', '/pads', 'pads keep', 'pads/Keep', 'päds'])('%o is no canonical name', (name) => {
  expect(findToolNameViolations([cardFixture({ name })])).toContain(`${name} is no name of a tool`);
});

test('two tools that share a spelling are found, aliases included', () => {
  const card = cardFixture();
  const spelled = cardFixture({ name: 'pads_keep_one' });
  const aliased = cardFixture({ name: 'pads/hold', listedName: 'pads_hold', aliases: ['pads/keepOne'] });
  expect(findToolNameViolations([card])).toEqual([]);
  expect(findToolNameViolations([card, spelled])).toEqual([
    'pads/keepOne and pads_keep_one both answer to pads_keep_one',
  ]);
  expect(findToolNameViolations([card, aliased])).toContain('pads/keepOne and pads/hold both answer to pads/keepOne');
});
