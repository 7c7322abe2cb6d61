import fc from 'fast-check';
import { expect, test } from 'vitest';
import { notebookLimits } from '../notebook-limits.ts';
import { type GivenSchema, readSchemas, toSchemaText } from './given-schema.ts';

const object = { type: 'object' };

test('a map of names and schemas is taken as it is', () => {
  expect(readSchemas({ person: object, empty: {} })).toEqual([
    { name: 'person', description: null, schema: object },
    { name: 'empty', description: null, schema: {} },
  ]);
});

test('particulars beside the schema are taken with it', () => {
  expect(readSchemas({ person: { id: 'p-1', description: 'Somebody', schema: object } })).toEqual([
    { id: 'p-1', name: 'person', description: 'Somebody', schema: object },
  ]);
});

test('a map that has more than particulars is a schema itself', () => {
  const schema = { schema: object, type: 'object' };
  expect(readSchemas({ odd: schema })).toEqual([{ name: 'odd', description: null, schema }]);
});

test('a pad without schemas brings none', () => {
  expect(readSchemas(undefined)).toEqual([]);
  expect(readSchemas(null)).toEqual([]);
  expect(readSchemas({})).toEqual([]);
});

test.each([
  ['a list', [object]],
  ['a text', 'person'],
  ['a schema that is a text', { person: 'x' }],
  ['a schema that is a list', { person: [object] }],
  ['a schema that is nothing', { person: null }],
  ['particulars without a map', { person: { schema: 5 } }],
  ['an id with a slash', { person: { id: 'a/b', schema: object } }],
  ['an id that is no text', { person: { id: 7, schema: object } }],
  ['a description that is no text', { person: { description: 7, schema: object } }],
  ['an empty name', { '': object }],
  ['a long name', { ['x'.repeat(notebookLimits.nameChars + 1)]: object }],
  ['another name than its place', { person: { name: 'animal', schema: object } }],
  ['an id twice', { a: { id: 'one', schema: object }, b: { id: 'one', schema: object } }],
  ['a name twice', { a: object, x: { id: 'x', name: 'a', schema: object } }],
])('%s is refused', (_, schemas) => {
  expect(() => readSchemas(schemas)).toThrow('metadata.schemas');
});

test('a schema that is too long is refused', () => {
  const schema = { description: 'x'.repeat(notebookLimits.schemaBytes) };
  expect(() => toSchemaText(schema)).toThrow(`more than ${notebookLimits.schemaBytes} bytes`);
  expect(toSchemaText({ a: 1 })).toBe('{"a":1}');
});

/** As a pad shows its schemas: under the name, or under the id when there is none. */
const shown = (given: readonly GivenSchema[]) =>
  Object.fromEntries(given.map(({ id, name, description, schema }) => [name ?? id, { id, name, description, schema }]));

test('what a pad shows of its schemas is taken back the same', () => {
  const given = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
      name: fc.option(fc.string({ minLength: 1, maxLength: 12 }), { nil: null }),
      description: fc.option(fc.string({ minLength: 1 }), { nil: null }),
      schema: fc.dictionary(fc.string(), fc.jsonValue()),
    }),
    {
      selector: ({ id, name }) => [id, name],
      // No id and no name may be spelled as another one's.
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
