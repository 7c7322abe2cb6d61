import { describe, expect, it } from 'vitest';
import type { Language } from '../../languages.ts';
import { validateCells } from '../../validation/validate-cells.ts';
import type { SchemaToApply, SharedSchemas } from './apply.ts';

async function check(content: string, schema: unknown, language: Language = 'json', shared: SharedSchemas = {}) {
  const cell = { cellId: 'c', index: 0, language, content, schema: { kind: 'schema', schema } as const };
  const [result] = await validateCells({ cells: [cell], shared });
  return result!;
}
const given = async (schema: SchemaToApply, language: Language = 'json', content = '1') =>
  (await validateCells({ cells: [{ cellId: 'c', index: 0, language, content, schema }], shared: {} }))[0]!;
const messages = async (...args: Parameters<typeof check>) =>
  (await check(...args)).errors.map(({ message }) => message);

describe('a schema', () => {
  it('reports each violation with its position in the text, in the value and in the schema', async () => {
    const schema = { properties: { a: { items: { type: 'string' } } }, required: ['b'] };
    const { errors, valid } = await check('{\n  "a": ["x",\n    3]\n}', schema);
    expect(valid).toBe(false);
    expect(errors).toEqual([
      {
        message: '/a/1: expected string, found number',
        code: 'SCHEMA_TYPE',
        line: 3,
        column: 5,
        details: { instance: '/a/1', keyword: 'type', schema: '#/properties/a/items/type' },
      },
      {
        message: 'the document: missing b',
        code: 'SCHEMA_REQUIRED',
        line: 1,
        column: 1,
        details: { instance: '', keyword: 'required', schema: '#/required' },
      },
    ]);
  });

  it('reports positions in every document of YAML', async () => {
    const { errors } = await check(
      'a: 1\n---\nb:\n  - x\n  - y: 2\n',
      { properties: { b: { items: { type: 'string' } } } },
      'yaml',
    );
    expect(errors).toMatchObject([{ line: 5, column: 5, details: { instance: '/b/1', document: 1 } }]);
  });

  it('applies to TOML, whose dates are strings', async () => {
    const schema = { properties: { when: { type: 'string' }, n: { maximum: 3 } } };
    expect(await messages('when = 1979-05-27\nn = 4\n', schema, 'toml')).toEqual(['/n: 4 is more than 3']);
  });

  it('has readable messages', async () => {
    const of = async (schema: unknown, value: unknown) => (await messages(JSON.stringify(value), schema))[0];
    expect(await of({ enum: ['a', 'b'] }, 'c')).toBe('the document: "c" is none of "a", "b"');
    expect(await of({ const: { a: 1 } }, 2)).toBe('the document: expected {"a":1}, found 2');
    expect(await of({ pattern: '^a' }, 'b')).toBe('the document: "b" does not match /^a/u');
    expect(await of({ minLength: 2 }, '😀')).toBe('the document has 1 characters, needs at least 2');
    expect(await of({ uniqueItems: true }, [1, 2, 1])).toBe('the document: items must differ: items 0 and 2 are equal');
    expect(await of({ additionalProperties: false }, { a: 1 })).toBe('/a is not a property of the schema');
    expect(await of({ anyOf: [{ type: 'null' }, { type: 'string' }] }, 1)).toBe(
      'the document matches none of the schemas in anyOf',
    );
    expect(await of({ oneOf: [true, { type: 'number' }] }, 1)).toBe(
      'the document matches more than one of the schemas in oneOf',
    );
    expect(await of({ dependentRequired: { a: ['b'] } }, { a: 1 })).toBe('the document has a and so needs b');
    expect(await of(false, 1)).toBe('the document is not allowed here (found number)');
  });

  it('uses the draft that it names, or 2020-12', async () => {
    const tuple = { items: [{ type: 'string' }] };
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
    const draft2019 = { $schema: 'https://json-schema.org/draft/2019-09/schema', ...tuple };
    expect(await messages('[1]', draft7)).toEqual(['/0: expected string, found number']);
    expect(await messages('[1]', draft2019)).toEqual(['/0: expected string, found number']);
    expect((await check('[1]', tuple)).errors).toMatchObject([{ code: 'INVALID_SCHEMA' }]);
    expect((await check('1', { $schema: 'https://example.org/mine' })).errors).toMatchObject([
      { code: 'INVALID_SCHEMA' },
    ]);
  });

  it('refers to shared schemas by name and by $id', async () => {
    const shared = {
      list: { $id: 'https://example.org/list', items: { $ref: 'scratchpad://schemas/word' } },
      word: { type: 'string' },
    };
    const expected = ['/0: expected string, found number'];
    expect(await messages('[1]', { $ref: 'scratchpad://schemas/list' }, 'json', shared)).toEqual(expected);
    expect(await messages('[1]', { $ref: 'https://example.org/list' }, 'json', shared)).toEqual(expected);
    expect(await messages('["a"]', { $ref: 'scratchpad://schemas/list' }, 'json', shared)).toEqual([]);
    expect((await check('1', { $ref: 'scratchpad://schemas/none' }, 'json', shared)).errors).toMatchObject([
      { code: 'INVALID_SCHEMA' },
    ]);
  });

  it('leaves nothing behind for the next one', async () => {
    const shared = { word: { type: 'string' } };
    expect(await messages('1', { $ref: 'scratchpad://schemas/word' }, 'json', shared)).toHaveLength(1);
    expect((await check('1', { $ref: 'scratchpad://schemas/word' })).errors).toMatchObject([
      { code: 'INVALID_SCHEMA' },
    ]);
    const dialect = { $id: 'https://json-schema.org/draft/2020-12/schema', $vocabulary: {} };
    expect((await check('1', dialect)).errors).toMatchObject([{ code: 'INVALID_SCHEMA' }]);
    expect((await check('1', { $defs: { a: dialect } })).valid).toBe(true);
    expect(await messages('1', { type: 'string' })).toEqual(['the document: expected string, found number']);
  });

  it('fetches nothing', async () => {
    for (const $ref of [
      'http://127.0.0.1:9/x',
      'https://example.org/x',
      new URL(import.meta.url).href,
      '/etc/passwd',
      'data:,1',
    ])
      expect((await check('1', { $ref })).errors).toMatchObject([
        { code: 'INVALID_SCHEMA', message: expect.stringContaining('nothing is fetched') },
      ]);
  });

  it('explains an unresolved reference and how to fix it', async () => {
    const $id = 'https://example.org/word.json';
    const [error] = (await check('1', { items: { $ref: `${$id}#/x` } })).errors;
    expect(error?.message).toMatch(
      /^the schema cannot be used: https:\/\/example\.org\/word\.json#\/x is not a schema of/,
    );
    expect(error?.message).toMatch(/\$defs.*scratch_upsert_schema.*scratchpad:\/\/schemas\//);
    const wrong = ['the document: expected string, found number'];
    expect(await messages('1', { $ref: $id, $defs: { word: { $id, type: 'string' } } })).toEqual(wrong);
    expect(await messages('1', { $ref: $id }, 'json', { any: { $id, type: 'string' } })).toEqual(wrong);
    expect(await messages('1', { $ref: 'scratchpad://schemas/any' }, 'json', { any: { type: 'string' } })).toEqual(
      wrong,
    );
  });

  it('reports the position of an invalid keyword', async () => {
    const { errors } = await check('1', { properties: { a: { type: 'strin' } } });
    expect(errors).toMatchObject([{ code: 'INVALID_SCHEMA', details: { schema: '/properties/a/type' } }]);
    for (const schema of [1, 'x', null, [], { $schema: 1 }, { $ref: 7 }, { pattern: '(' }, { $schema: '__proto__' }])
      expect((await check('1', schema)).errors).toMatchObject([{ code: 'INVALID_SCHEMA' }]);
  });

  it('is rejected when it is too deep or too large', async () => {
    let deep: unknown = {};
    for (let i = 0; i < 300; i += 1) deep = { not: deep };
    expect((await check('1', deep)).errors).toMatchObject([{ code: 'INVALID_SCHEMA' }]);
    expect((await check('1', { description: 'x'.repeat(1_100_000) })).errors).toMatchObject([
      { code: 'INVALID_SCHEMA' },
    ]);
  });

  it('is skipped for languages and documents that it cannot apply to', async () => {
    expect(await given({ kind: 'missing', ref: 'scratchpad://schemas/x' })).toMatchObject({
      valid: true,
      warnings: [{ code: 'SCHEMA_REFERENCE_MISSING' }],
      details: { schema_ref: 'scratchpad://schemas/x' },
    });
    expect(await given({ kind: 'schema', schema: {}, id: 's1' }, 'py')).toMatchObject({
      valid: true,
      warnings: [{ code: 'SCHEMA_NOT_APPLICABLE' }],
    });
    expect(await given({ kind: 'schema', schema: { type: 'string' } }, 'json', '{')).toMatchObject({
      errors: [{ code: 'JSON_SYNTAX' }],
      details: { reason: 'the text has errors' },
    });
    expect(await check(`[${'1,'.repeat(300_000)}1]`, { type: 'object' })).toMatchObject({
      valid: true,
      warnings: [{ code: 'TOO_LARGE' }],
      details: { reason: expect.stringContaining('was not applied') },
    });
    const bomb = `a: &a [x]\n${[...'bcdefghij'].map((key, i) => `${key}: &${key} [${Array<string>(9).fill(`*${'abcdefghi'[i]}`).join()}]`).join('\n')}\n`;
    expect((await check(bomb, {}, 'yaml')).errors).toMatchObject([{ code: 'TOO_MANY_ALIASES' }]);
    expect((await check('['.repeat(50_000) + ']'.repeat(50_000), { items: { $ref: '#' } })).valid).toBe(false);
  });

  it('is named in details together with the reference', async () => {
    const { details } = await given({ kind: 'schema', schema: {}, id: 's1', ref: 'scratchpad://schemas/x' });
    expect(details).toEqual({ schema_applied: 's1', schema_ref: 'scratchpad://schemas/x' });
  });
});
