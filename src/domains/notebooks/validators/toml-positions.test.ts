import { describe, expect, it } from 'vitest';
import { validateCells } from '../validation/validate-cells.ts';
import { findTomlPositions } from './validate-toml.ts';

const text = `# a remark
title = "x"
a.b = [1, 2, # two
  { c = 3 }]
"quoted.key" = 'its'

[server]
ports = [
  80,
  443,
]
motd = """
[not.a.table]
x = 1 \\""" still"""
after = true

[[fruits]]
name = "apple"

[fruits.colour]
red = 1

[[fruits]]
name = "pear"
  [[fruits.kinds]]
  name = "long"
`;

const at = (pointer: string): string => {
  const { line, column } = findTomlPositions(text, new Set([pointer])).get(pointer)!;
  return text.split('\n')[line - 1]!.slice(column - 1);
};

describe('positions in TOML', () => {
  it.each([
    ['/title', '"x"'],
    ['/a', 'a.b = [1, 2, # two'],
    ['/a/b', '[1, 2, # two'],
    ['/a/b/1', '2, # two'],
    ['/a/b/2/c', '3 }]'],
    ['/quoted.key', "'its'"],
    ['/server', '[server]'],
    ['/server/ports/1', '443,'],
    ['/server/motd', '"""'],
    ['/server/after', 'true'],
    ['/fruits', '[[fruits]]'],
    ['/fruits/0/name', '"apple"'],
    ['/fruits/0/colour/red', '1'],
    ['/fruits/1/name', '"pear"'],
    ['/fruits/1/kinds/0/name', '"long"'],
  ])('are found: %s', (pointer, expected) => {
    expect(at(pointer)).toBe(expected);
  });

  it('are those of the parent for a missing value', () => {
    expect(at('/server/host')).toBe('[server]');
    expect(at('/nothing')).toBe('# a remark');
  });

  it('are part of schema errors', async () => {
    const server = { properties: { after: { type: 'string' } } };
    const schema = { kind: 'schema', schema: { properties: { server } } } as const;
    const cell = { cellId: 'c', index: 0, language: 'toml', content: text, schema } as const;
    const [result] = await validateCells({ cells: [cell], shared: {} });
    expect(result!.errors).toMatchObject([{ code: 'SCHEMA_TYPE', line: 15, column: 9 }]);
  });

  it('are found in any text without an endless loop', () => {
    for (const broken of ['[', '"', '= = =', 'a = [', 'a = {', "'''", '\r', '\\', 'a = """', 'a = [}'])
      expect(findTomlPositions(broken, new Set(['/a'])).size).toBe(1);
  });
});
