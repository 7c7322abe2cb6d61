import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Language } from '../languages.ts';
import { validateCells } from '../validation/validate-cells.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Files of installed packages. `count` is the least number expected. */
const sources: readonly {
  readonly language: Language;
  readonly positions: readonly string[];
  readonly end: string;
  readonly count: number;
}[] = [
  { language: 'js', positions: ['fastify', 'pg', 'yaml', 'smol-toml'], end: '.js', count: 50 },
  { language: 'ts', positions: ['yaml', 'pino', 'zod', 'fastify'], end: '.d.ts', count: 50 },
  { language: 'md', positions: ['yaml', 'pino', 'pg', 'fast-check'], end: '.md', count: 3 },
  { language: 'json', positions: ['fastify', 'pg', 'yaml', 'zod'], end: 'package.json', count: 3 },
  {
    language: 'c',
    positions: ['tree-sitter-python', 'tree-sitter-go', 'tree-sitter-rust'],
    end: 'scanner.c',
    count: 2,
  },
  { language: 'h', positions: ['tree-sitter-python', 'tree-sitter-rust', 'tree-sitter-bash'], end: '.h', count: 3 },
  { language: 'cpp', positions: ['tree-sitter-python', 'tree-sitter-go', 'better-sqlite3'], end: '.cc', count: 1 },
];

function findFiles(positions: readonly string[], end: string): readonly string[] {
  return positions
    .flatMap((place) => {
      const folder = join(root, 'node_modules', place);
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    })
    .filter((name) => name.endsWith(end) && !/test|fixture|example/.test(name.slice(root.length)))
    .slice(0, 200);
}

describe('real files', () => {
  it.each(sources)('in $language have no errors', async ({ language, positions, end, count }) => {
    const files = findFiles(positions, end).map((name) => ({ name, content: readFileSync(name, 'utf8') }));
    const cells = files
      .filter(({ content }) => content.length < 200_000)
      .map(({ name, content }, index) => ({ cellId: name, index, language, content }));
    expect(cells.length).toBeGreaterThanOrEqual(count);
    const results = await validateCells({ cells, shared: {} });
    expect(
      results.filter(({ errors }) => errors.length > 0).map(({ cell_id, errors }) => ({ cell_id, errors })),
    ).toEqual([]);
  });

  it('of this program have no errors', async () => {
    const folder = join(root, 'src/kernel');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const cells = names.map((name, index) => ({
      cellId: name,
      index,
      language: 'ts' as const,
      content: readFileSync(join(folder, name), 'utf8'),
    }));
    const results = await validateCells({ cells, shared: {} });
    expect(results.filter(({ valid }) => !valid)).toEqual([]);
    expect(cells.length).toBeGreaterThan(50);
  });
});
