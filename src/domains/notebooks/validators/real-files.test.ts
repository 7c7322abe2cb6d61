import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Language } from '../languages.ts';
import { checkCells } from './check-cells.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Files of the packages that are installed anyway: what people really write. `count` are there at least. */
const real: readonly {
  readonly language: Language;
  readonly places: readonly string[];
  readonly end: string;
  readonly count: number;
}[] = [
  { language: 'js', places: ['fastify', 'pg', 'yaml', 'smol-toml'], end: '.js', count: 50 },
  { language: 'ts', places: ['yaml', 'pino', 'zod', 'fastify'], end: '.d.ts', count: 50 },
  { language: 'md', places: ['yaml', 'pino', 'pg', 'fast-check'], end: '.md', count: 3 },
  { language: 'json', places: ['fastify', 'pg', 'yaml', 'zod'], end: 'package.json', count: 3 },
  { language: 'c', places: ['tree-sitter-python', 'tree-sitter-go', 'tree-sitter-rust'], end: 'scanner.c', count: 2 },
  { language: 'h', places: ['tree-sitter-python', 'tree-sitter-rust', 'tree-sitter-bash'], end: '.h', count: 3 },
  { language: 'cpp', places: ['tree-sitter-python', 'tree-sitter-go', 'better-sqlite3'], end: '.cc', count: 1 },
];

function findFiles(places: readonly string[], end: string): readonly string[] {
  return places
    .flatMap((place) => {
      const folder = join(root, 'node_modules', place);
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    })
    .filter((name) => name.endsWith(end) && !/test|fixture|example/.test(name.slice(root.length)))
    .slice(0, 200);
}

describe('real files', () => {
  it.each(real)('in $language raise no alarm', async ({ language, places, end, count }) => {
    const files = findFiles(places, end).map((name) => ({ name, content: readFileSync(name, 'utf8') }));
    const cells = files
      .filter(({ content }) => content.length < 200_000)
      .map(({ name, content }, index) => ({ cellId: name, index, language, content }));
    expect(cells.length).toBeGreaterThanOrEqual(count);
    const results = await checkCells({ cells, shared: {} });
    expect(results.filter(({ valid }) => !valid).map(({ cell_id, errors }) => ({ cell_id, errors }))).toEqual([]);
  });

  it('of this program raise no alarm', async () => {
    const folder = join(root, 'src/kernel');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const cells = names.map((name, index) => ({
      cellId: name,
      index,
      language: 'ts' as const,
      content: readFileSync(join(folder, name), 'utf8'),
    }));
    const results = await checkCells({ cells, shared: {} });
    expect(results.filter(({ valid }) => !valid)).toEqual([]);
    expect(cells.length).toBeGreaterThan(50);
  });
});
