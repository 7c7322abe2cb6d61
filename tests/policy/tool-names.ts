import type { Card } from '#kernel/tool/card.ts';
import { spellings } from '#kernel/tool/names.ts';

/** Every client accepts these; some drop a tool whose name is another. */
const listedName = /^[a-z][a-z0-9_]{0,39}$/;
/** The documents' own: `instructions/governanceHash`, `scratch_create`. */
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

/** Names that a client would refuse, and names that mean two tools. */
export const findToolNameViolations = (cards: readonly Card[]): readonly string[] => [
  ...cards.filter((card) => !listedName.test(card.listedName)).map((card) => `${card.listedName} cannot be listed`),
  ...cards
    .flatMap((card) => [card.name, ...card.aliases])
    .filter((name) => !canonicalName.test(name))
    .map((name) => `${name} is no name of a tool`),
  ...findClashes(cards),
];
