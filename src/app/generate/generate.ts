import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderConfigReference, renderEnvExample } from '#config/render-settings.ts';
import { contextToolset } from '#domains/context/context-toolset.ts';
import { instructionsToolset } from '#domains/instructions/instructions-toolset.ts';
import { integrationsToolset } from '#domains/integrations/integrations-toolset.ts';
import { knowledgeToolset } from '#domains/knowledge/knowledge-toolset.ts';
import { notebooksToolset } from '#domains/notebooks/notebooks-toolset.ts';
import { systemToolset } from '#domains/system/system-toolset.ts';
import { truthToolset } from '#domains/truth/truth-toolset.ts';
import type { FaultKind } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Card, toCards } from '#kernel/tool/card.ts';
import { allFaults } from '../all-faults.ts';
import { renderToolTypes } from './tool-types.ts';
import { renderToolsReference } from './tools-reference.ts';

const intro = `# Faults

Every expected failure of the program. The number is the JSON-RPC code for protocol revisions up to 2025-11-25; newer
revisions reserve -32000 to -32099, where ours become -31000 to -31099. A call that failed with a retryable fault may be
sent again as it is.

An answer with a fault has at most 64 KB: long texts in it end with "…". For invalid arguments, \`errors\` lists the first
20 violations. If more were found, \`errors_total\` is their number and the message ends with it; long lists are not
checked to their end.
`;

const section = ({ code, rpc, http, retryable, fix }: FaultKind): string => `## ${code}

JSON-RPC ${rpc}, HTTP ${http}, ${retryable ? 'retryable' : 'not retryable'}.

${fix}
`;

/** docs/reference/faults.md, which `data.documentation` of a fault refers to. */
const renderFaultsReference = (kinds: readonly FaultKind[]): string => [intro, ...kinds.map(section)].join('\n');

/** All tools from their declarations, for generating and for tests. The running program reads the generated cards. */
export const allCards = (): readonly Card[] =>
  [
    contextToolset,
    systemToolset,
    instructionsToolset,
    knowledgeToolset,
    notebooksToolset,
    truthToolset,
    integrationsToolset,
  ].flatMap((toolset) => toCards<never>(toolset));

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** All generated files by path. One JSON file per tool, so that a change is easy to review. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const cards = allCards();
  return new Map([
    ['src/app/generated/tools.json', json(cards)],
    ...cards.map((card) => [`tests/snapshots/tools/${card.listedName}.json`, json(card)] as const),
    ['dashboard/src/api/tools.ts', renderToolTypes(cards)],
    ['docs/reference/tools.md', renderToolsReference(cards)],
    ['docs/reference/faults.md', renderFaultsReference(allFaults())],
    ['docs/reference/config.md', renderConfigReference()],
    ['.env.example', renderEnvExample()],
  ]);
}

/** Folders with generated files only: files that are no longer generated are deleted. */
const ownedFolders = ['tests/snapshots/tools'];

const readText = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function findStale(root: string, files: ReadonlyMap<string, string>): readonly string[] {
  return ownedFolders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .map((name) => `${folder}/${name}`)
          .filter((path) => !files.has(path))
      : [],
  );
}

/** In another project it would create files in the wrong place. */
function assertCheckout(root: string): void {
  const manifest = readText(join(root, 'package.json'));
  const isOurs = manifest !== undefined && (JSON.parse(manifest) as { name?: string }).name === 'fourfold';
  if (!isOurs) throw faults.CONFIG_ERROR({ why: `${root} is not a checkout of fourfold` });
}

/** Writes the files that differ and returns their paths; `check` writes nothing. */
export function generate(root: string, check: boolean, files = generatedFiles()): readonly string[] {
  assertCheckout(root);
  const changed = [...files].filter(([path, text]) => readText(join(root, path)) !== text);
  const stale = findStale(root, files);
  if (!check) {
    for (const [path, text] of changed) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    for (const path of stale) rmSync(join(root, path));
  }
  return [...changed.map(([path]) => path), ...stale].sort();
}
