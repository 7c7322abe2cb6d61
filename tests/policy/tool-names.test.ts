import { expect, test } from 'vitest';
import { allCards } from '#app/generate/generate.ts';
import type { Card } from '#kernel/tool/card.ts';
import { spellings } from '#kernel/tool/names.ts';
import { cardFixture } from './card.fixture.ts';
import { loadCards } from './toolsets.ts';

/** All clients accept these names; some drop tools with others. */
const listablePattern = /^[a-z][a-z0-9_]{0,39}$/;
/** Documented names such as `instructions/governanceHash` and `scratch_create`. */
const canonicalName = /^[a-z][A-Za-z0-9_]*(?:\/[a-z][A-Za-z0-9_]*)*$/;

function findClashes(cards: readonly Card[]): readonly string[] {
  const owners = new Map<string, string>();
  const clashes: string[] = [];
  for (const card of cards) {
    for (const name of new Set([card.name, ...card.aliases].flatMap(spellings))) {
      const owner = owners.get(name);
      if (owner !== undefined) clashes.push(`${owner} and ${card.name} both answer to ${name}`);
      owners.set(name, card.name);
    }
  }
  return clashes;
}

/** Names that a client would reject, and names of two tools. */
const findToolNameViolations = (cards: readonly Card[]): readonly string[] => [
  ...cards
    .filter((card) => !listablePattern.test(card.listedName))
    .map((card) => `${card.listedName} cannot be listed`),
  ...cards
    .flatMap((card) => [card.name, ...card.aliases])
    .filter((name) => !canonicalName.test(name))
    .map((name) => `${name} is not a valid tool name`),
  ...findClashes(cards),
];

test('every tool has a unique name that clients accept', async () => {
  const cards = await loadCards();
  expect(cards.length).toBeGreaterThan(5);
  expect(findToolNameViolations(cards)).toEqual([]);
});

test('the program lists every toolset of the source tree', async () => {
  const names = (cards: readonly { name: string }[]) => cards.map(({ name }) => name).sort();
  expect(names(allCards())).toEqual(names(await loadCards()));
});

test.for(['Pads_keep', 'pads/keep', 'pads-keep', '1pads', `p${'a'.repeat(40)}`, ''])(
  'rejects %o as a listed name',
  (listedName) => {
    expect(findToolNameViolations([cardFixture({ listedName })])).toEqual([`${listedName} cannot be listed`]);
  },
);

test.for(['pads//keep', '/pads', 'pads keep', 'pads/Keep', 'päds'])('rejects %o as a canonical name', (name) => {
  expect(findToolNameViolations([cardFixture({ name })])).toContain(`${name} is not a valid tool name`);
});

test('finds two tools that share a spelling, including aliases', () => {
  const card = cardFixture();
  const spelled = cardFixture({ name: 'pads_keep_one' });
  const aliased = cardFixture({ name: 'pads/hold', listedName: 'pads_hold', aliases: ['pads/keepOne'] });
  expect(findToolNameViolations([card])).toEqual([]);
  expect(findToolNameViolations([card, spelled])).toEqual([
    'pads/keepOne and pads_keep_one both answer to pads_keep_one',
  ]);
  expect(findToolNameViolations([card, aliased])).toContain('pads/keepOne and pads/hold both answer to pads/keepOne');
});
