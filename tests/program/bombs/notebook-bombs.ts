import { type Bomb, manyFields, nestList, times } from './bomb.ts';
import type { Json } from './measured-program.ts';

let count = 0;

/** A pad that is created with these cells and validated. */
const padBomb = (name: string, cells: () => readonly Json[], metadata: () => Json = () => ({})): Bomb => ({
  name,
  async send(program) {
    count += 1;
    const scratch_id = `bomb-${count}`;
    const created = await program.call('scratch_create', { scratch_id, cells: cells(), metadata: metadata() });
    await program.call('scratch_search', { query: 'a' });
    await program.call('scratch_read', { scratch_id });
    const { isError } = (created.result ?? {}) as { readonly isError?: boolean };
    return isError === true ? created : program.call('scratch_validate', { scratch_id });
  },
});

const cell = (language: string, content: string, json_schema?: unknown): Json => ({ language, content, json_schema });
const cellBomb = (name: string, language: string, content: () => string, schema?: () => unknown): Bomb =>
  padBomb(name, () => [cell(language, content(), schema?.())]);

const aliases = (depth: number): string =>
  times(depth, (n) =>
    n === 0 ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]' : `a${n}: &a${n} [${`*a${n - 1}, `.repeat(8)}*a${n - 1}]`,
  ).join('\n');

/** `a0` is twice `a1`, which is twice `a2`, and so on. */
const doubling = (depth: number): Json => ({
  $ref: '#/$defs/a0',
  $defs: Object.fromEntries(
    times(depth, (n) => [
      `a${n}`,
      n === depth - 1 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] },
    ]),
  ),
});

const jupyter = (cells: unknown): string => JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** Cells, schemas and validation. */
export const notebookBombs: readonly Bomb[] = [
  cellBomb(
    'a pattern that explodes',
    'json',
    () => `"${'a'.repeat(60)}!"`,
    () => ({ pattern: '^(a|a)*$' }),
  ),
  cellBomb(
    'a schema whose references double',
    'json',
    () => '"x"',
    () => doubling(40),
  ),
  cellBomb(
    'a schema that refers to itself',
    'json',
    () => '1',
    () => ({ $ref: '#' }),
  ),
  cellBomb(
    'a chain of 2,000 references',
    'json',
    () => '1',
    () => ({
      $ref: '#/$defs/a0',
      $defs: Object.fromEntries(times(2_000, (n) => [`a${n}`, n === 1_999 ? {} : { $ref: `#/$defs/a${n + 1}` }])),
    }),
  ),
  cellBomb(
    'a schema of a huge enum',
    'json',
    () => '"none"',
    () => ({ enum: times(8_000, (n) => `${n}`) }),
  ),
  cellBomb(
    'a schema with 5,000 properties',
    'json',
    () => '{}',
    () => ({ properties: manyFields(2_000, () => ({})) }),
  ),
  cellBomb(
    'unique items of 50,000',
    'json',
    () => JSON.stringify(times(50_000, (i) => ({ i }))),
    () => ({ uniqueItems: true }),
  ),
  cellBomb(
    'JSON of 50,000 errors',
    'json',
    () => JSON.stringify(times(50_000, (i) => i)),
    () => ({ items: { type: 'string' } }),
  ),
  cellBomb('JSON that nests deep', 'json', () => '['.repeat(2_000_000)),
  cellBomb('JSON of 7 MB', 'json', () => JSON.stringify(times(700_000, (i) => i))),
  cellBomb(
    'YAML aliases that explode',
    'yaml',
    () => aliases(12),
    () => ({ type: 'object' }),
  ),
  cellBomb('YAML of 1 MB of anchors', 'yaml', () => times(60_000, (i) => `a${i}: &b${i} 1`).join('\n')),
  cellBomb('YAML that nests deep', 'yaml', () => '['.repeat(200_000)),
  cellBomb('YAML of long lines', 'yaml', () => `a: ${'x '.repeat(1_000_000)}`),
  cellBomb('TOML that nests deep', 'toml', () => `a = ${'['.repeat(200_000)}`),
  cellBomb('TOML of many tables', 'toml', () => times(50_000, (i) => `[t${i}]`).join('\n')),
  cellBomb('JavaScript that nests deep', 'js', () => '('.repeat(500_000)),
  cellBomb('JavaScript of 5 MB', 'js', () => 'function a(b,c){return b?c:a(c,b)};'.repeat(140_000)),
  cellBomb('TypeScript of nested types', 'ts', () => `type A = ${'A<'.repeat(100_000)}`),
  cellBomb('HTML that nests deep', 'html', () => '<b>'.repeat(1_000_000)),
  cellBomb('CSS that nests deep', 'css', () => 'a{'.repeat(1_000_000)),
  cellBomb('Python that nests deep', 'py', () => '('.repeat(500_000)),
  cellBomb('C that nests deep', 'c', () => '{'.repeat(500_000)),
  cellBomb('Markdown of quotes', 'md', () => `${'> '.repeat(500_000)}x`),
  cellBomb('Markdown of emphasis', 'md', () => '*a_ '.repeat(500_000)),
  cellBomb('Markdown of links', 'md', () => '[a]('.repeat(500_000)),
  cellBomb('Markdown of a table', 'md', () => `${'|a'.repeat(50_000)}|\n${'|-'.repeat(50_000)}|`),
  cellBomb('Markdown of 7 MB of words', 'md', () => 'some words '.repeat(600_000)),
  cellBomb('Markdown of 500,000 different words', 'md', () => times(500_000, (i) => i.toString(36)).join(' ')),
  cellBomb('text of marks', 'txt', () => `a${'\u0301'.repeat(1_500_000)}`),
  cellBomb('a Jupyter notebook of 20,000 cells', 'json', () =>
    jupyter(times(20_000, () => ({ cell_type: 'code', source: '1' }))),
  ),
  padBomb('a pad of 2,000 cells', () => times(2_000, (i) => cell('txt', `text ${i}`))),
  padBomb('a pad of 20,000 cells', () => times(20_000, (i) => cell('txt', `text ${i}`))),
  padBomb(
    'a pad with 50,000 tags',
    () => [cell('txt', 'a')],
    () => ({ tags: times(50_000, (i) => `t${i}`) }),
  ),
  padBomb(
    'a pad with metadata of 50,000 members',
    () => [cell('txt', 'a')],
    () => manyFields(50_000),
  ),
  padBomb(
    'a pad with metadata that nests',
    () => [cell('txt', 'a')],
    () => ({ deep: nestList(50) }),
  ),
  padBomb('a pad of cells with many tags', () =>
    times(500, (i) => ({ ...cell('txt', 'a'), tags: times(60, (j) => `t${(i * 60 + j) % 2_000}`) })),
  ),
];
