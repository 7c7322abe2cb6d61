import { renderEnvExample } from '#config/render-env-example.ts';
import { renderConfigReference } from '#config/render-reference.ts';
import type { Card } from '#kernel/tool/card.ts';
import { allFaults } from '../all-faults.ts';
import { allCards } from '../all-toolsets.ts';
import { renderFaultsReference } from './faults-reference.ts';
import { renderToolsReference } from './tools-reference.ts';

const isShown = (card: Card): boolean => card.toolset !== 'probe';
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Every generated file of the project: path from its root → text. One JSON file a tool, so that a change is seen as a diff. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const cards = allCards();
  return new Map([
    ['src/app/generated/tools.json', json(cards)],
    ...cards.filter(isShown).map((card) => [`tests/snapshots/tools/${card.listedName}.json`, json(card)] as const),
    ['docs/reference/tools.md', renderToolsReference(cards.filter(isShown))],
    ['docs/reference/faults.md', renderFaultsReference(allFaults())],
    ['docs/reference/config.md', renderConfigReference()],
    ['.env.example', renderEnvExample()],
  ]);
}
