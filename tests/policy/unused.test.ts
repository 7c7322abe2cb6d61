import { expect, test } from 'vitest';
import { runTool } from './run-tool.ts';
import { readSource } from './tree.ts';

interface Issue {
  readonly file: string;
  readonly [kind: string]: unknown;
}

const named = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

/** Findings of knip with the project's configuration, such as `src/a.ts exports left`. */
async function findUnused(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const args = ['--reporter', 'json', '--no-progress', '--no-config-hints'];
  const configured = { ...files, 'knip.json': readSource('knip.json').text };
  const { issues } = (await runTool({ script: 'knip/bin/knip.js', args }, configured)) as { issues: readonly Issue[] };
  return issues
    .flatMap(({ file, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, found]) =>
        Array.isArray(found) ? found.filter(named).map(({ name }) => `${file} ${kind} ${name}`) : [],
      ),
    )
    .sort();
}

const manifest = {
  name: 'example',
  type: 'module',
  workspaces: ['runtime'],
  imports: { '#kernel/*': './src/kernel/*' },
  dependencies: { zod: '1.0.0', pino: '1.0.0' },
};

/** A small tree with the same layout as the project. */
const sound: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(manifest),
  'runtime/package.json': JSON.stringify({ name: 'example-runtime' }),
  'src/main.ts': `import 'zod';\nimport 'pino';\nimport { used } from '#kernel/a.ts';\nused();\n`,
  'src/kernel/a.ts': `export interface Used {}\nexport const used = (): Used => ({});\n`,
  'src/kernel/job.worker.ts': `import { task } from './task.ts';\ntask();\n`,
  'src/kernel/task.ts': `export const task = () => 1;\n`,
};

test('accepts a tree in which everything is used', async () => {
  expect(await findUnused(sound)).toEqual([]);
});

test('finds unused exports, types, files and dependencies, and an unlisted import', async () => {
  const unused = {
    ...sound,
    'src/main.ts': `import 'zod';\nimport 'unlisted';\nimport { used } from '#kernel/a.ts';\nused();\n`,
    'src/kernel/a.ts': `export const used = () => 1;\nexport const left = () => 2;\nexport interface Left {}\n`,
    'src/kernel/alone.ts': `export const alone = 1;\n`,
  };
  expect(await findUnused(unused)).toEqual([
    'package.json dependencies pino',
    'src/kernel/a.ts exports left',
    'src/kernel/a.ts types Left',
    'src/kernel/alone.ts files src/kernel/alone.ts',
    'src/main.ts unlisted unlisted',
  ]);
});
