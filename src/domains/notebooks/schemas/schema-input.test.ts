import fc from 'fast-check';
import { expect, test } from 'vitest';
import { notebookLimits } from '../notebook-limits.ts';
import { readSchemas, type SchemaInput, toSchemaText } from './schema-input.ts';

const object = { type: 'object' };

test('reads a map of names and schemas', () => {
  expect(readSchemas({ person: object, empty: {} })).toEqual([
    { name: 'person', description: null, schema: object },
    { name: 'empty', description: null, schema: {} },
  ]);
});

test('reads id and description next to the schema', () => {
  expect(readSchemas({ person: { id: 'p-1', description: 'Somebody', schema: object } })).toEqual([
    { id: 'p-1', name: 'person', description: 'Somebody', schema: object },
  ]);
});

test('reads a map with other keys as a schema', () => {
  const schema = { schema: object, type: 'object' };
  expect(readSchemas({ odd: schema })).toEqual([{ name: 'odd', description: null, schema }]);
});

test('returns nothing for a pad without schemas', () => {
  expect(readSchemas(undefined)).toEqual([]);
  expect(readSchemas(null)).toEqual([]);
  expect(readSchemas({})).toEqual([]);
});

test.each([
  ['a list', [object]],
  ['a text', 'person'],
  ['a schema that is a text', { person: 'x' }],
  ['a schema that is a list', { person: [object] }],
  ['a schema that is null', { person: null }],
  ['a wrapped schema that is not an object', { person: { schema: 5 } }],
  ['an id with a slash', { person: { id: 'a/b', schema: object } }],
  ['an id that is not a text', { person: { id: 7, schema: object } }],
  ['a description that is not a text', { person: { description: 7, schema: object } }],
  ['an empty name', { '': object }],
  ['a long name', { ['x'.repeat(notebookLimits.nameChars + 1)]: object }],
  ['a name that differs from its key', { person: { name: 'animal', schema: object } }],
  ['an id twice', { a: { id: 'one', schema: object }, b: { id: 'one', schema: object } }],
  ['a name twice', { a: object, x: { id: 'x', name: 'a', schema: object } }],
])('rejects %s', (_, schemas) => {
  expect(() => readSchemas(schemas)).toThrow('metadata.schemas');
});

test('rejects a schema above the size limit', () => {
  const schema = { description: 'x'.repeat(notebookLimits.schemaBytes) };
  expect(() => toSchemaText(schema)).toThrow(`at most ${notebookLimits.schemaBytes} bytes`);
  expect(toSchemaText({ a: 1 })).toBe('{"a":1}');
});

/** Under the name, or under the id for a schema without a name. */
const shown = (given: readonly SchemaInput[]) =>
  Object.fromEntries(given.map(({ id, name, description, schema }) => [name ?? id, { id, name, description, schema }]));

test('reads back the schemas that scratch_read shows', () => {
  const given = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
      name: fc.option(fc.string({ minLength: 1, maxLength: 12 }), { nil: null }),
      description: fc.option(fc.string({ minLength: 1 }), { nil: null }),
      schema: fc.dictionary(fc.string(), fc.jsonValue()),
    }),
    {
      selector: ({ id, name }) => [id, name],
      // No id equals a name.
      comparator: (a, b) => a.some((x) => x !== null && b.includes(x)),
    },
  );
  fc.assert(
    fc.property(given, (schemas) => {
      const taken = readSchemas(shown(schemas)).map((one) => ({ ...one, id: one.id }));
      expect(new Set(taken.map((one) => JSON.stringify(one)))).toEqual(
        new Set(schemas.map(({ id, name, description, schema }) => JSON.stringify({ id, name, description, schema }))),
      );
    }),
  );
});
