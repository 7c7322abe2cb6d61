import type { Json } from './notebook-program.ts';

/** As text, because a message that nests so deep is rejected. */
const nested = (depth: number): string => `${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`;

/** `a0` is twice `a1`, which is twice `a2`, and so on. */
const doubling = (depth: number): Json => ({
  $ref: '#/$defs/a0',
  $defs: Object.fromEntries(
    Array.from({ length: depth }, (_, n) => [
      `a${n}`,
      n === depth - 1 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] },
    ]),
  ),
});

const aliases = (depth: number): string =>
  Array.from({ length: depth }, (_, n) =>
    n === 0 ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]' : `a${n}: &a${n} [${`*a${n - 1}, `.repeat(8)}*a${n - 1}]`,
  ).join('\n');

const json = (content: string, json_schema?: unknown): Json => ({ language: 'json', content, json_schema });

const minified = 'function a(b,c){return b?c:a(c,b)};var d=[1,2,{e:"f"}];';

const explode = JSON.stringify(`${'a'.repeat(60)}!`);

/** Runs until the timeout. */
export const endless: Readonly<Record<string, Json>> = {
  'a pattern that explodes': json(explode, { pattern: '^(a|a)*$' }),
  'a $ref that doubles': json('"x"', doubling(40)),
};

/** Ends within the limits of a worker: the cell and the code of its first error; undefined for none. */
export const bounded: Readonly<Record<string, readonly [Json, string | undefined]>> = {
  'a schema that refers to itself': [json('1', { $ref: '#' }), 'NESTED_TOO_DEEP'],
  'a schema that nests deep': [json('1', nested(4_000)), 'INVALID_SCHEMA'],
  'a schema of a huge enum': [json('"none"', { enum: Array.from({ length: 8_000 }, (_, n) => `${n}`) }), 'SCHEMA_ENUM'],
  'a schema that points outside': [json('1', { $ref: 'http://127.0.0.1:9/schema.json' }), 'INVALID_SCHEMA'],
  'a schema that points to a file': [json('1', { $ref: 'file:///etc/passwd' }), 'INVALID_SCHEMA'],
  'an invalid schema': [json('1', { type: 7 }), 'INVALID_SCHEMA'],
  'JSON that nests deep': [json('['.repeat(200_000)), 'JSON_SYNTAX'],
  'YAML aliases that explode': [{ language: 'yaml', content: aliases(12) }, undefined],
  'YAML aliases that explode under a schema': [
    { language: 'yaml', content: aliases(12), json_schema: { type: 'object' } },
    'TOO_MANY_ALIASES',
  ],
  'YAML that nests deep': [{ language: 'yaml', content: '['.repeat(20_000) }, 'RESOURCE_EXHAUSTION'],
  'TOML that nests deep': [{ language: 'toml', content: `a = ${'['.repeat(20_000)}` }, 'TOML_SYNTAX'],
  'JavaScript that nests deep': [{ language: 'js', content: '('.repeat(100_000) }, 'NESTED_TOO_DEEP'],
  'HTML that nests deep': [{ language: 'html', content: '<b>'.repeat(100_000) }, 'HTML_SYNTAX'],
  'CSS that nests deep': [{ language: 'css', content: 'a{'.repeat(100_000) }, 'CSS_SYNTAX'],
  'C that nests deep': [{ language: 'c', content: '{'.repeat(100_000) }, 'SYNTAX_ERROR'],
  'Markdown that nests deep': [{ language: 'md', content: `${'> '.repeat(5_000)}x\n` }, undefined],
  'minified JavaScript of 5 MB': [{ language: 'js', content: minified.repeat(95_000) }, undefined],
  'minified JavaScript of 1 MB': [{ language: 'js', content: minified.repeat(18_000) }, undefined],
};
