import { expect, test } from 'vitest';
import type { SchemaRow } from '../schemas/schema-store.ts';
import { resolveSchema, toSchemaLookup } from './resolve-schema.ts';

const row = (schema_id: string, name: string | null, schema: unknown): SchemaRow => ({
  schema_id,
  name,
  description: null,
  schema: JSON.stringify(schema),
  created_at: 0,
  updated_at: 0,
});

const lookup = toSchemaLookup([
  row('id-1', 'person', { type: 'object' }),
  row('id-2', 'två ord', {}),
  row('id-3', null, true),
]);
const person = (ref: string) => ({ kind: 'schema', schema: { type: 'object' }, id: 'id-1', ref });

test.each([
  ['undefined', undefined, undefined],
  ['a schema of its own', { type: 'array' }, { kind: 'schema', schema: { type: 'array' } }],
  ['a schema as JSON text', '{"type":"array"}', { kind: 'schema', schema: { type: 'array' } }],
  ['false as JSON text', 'false', { kind: 'schema', schema: false }],
  ['a reference by name', 'scratchpad://schemas/person', person('scratchpad://schemas/person')],
  ['a reference by id', 'scratchpad://schemas/id-1', person('scratchpad://schemas/id-1')],
  ['a $ref', { $ref: 'scratchpad://schemas/person' }, person('scratchpad://schemas/person')],
  ['a $ref as JSON text', '{"$ref":"scratchpad://schemas/person"}', person('scratchpad://schemas/person')],
  ['a reference as JSON text', '"scratchpad://schemas/person"', person('scratchpad://schemas/person')],
  ['a bare name', 'person', person('person')],
  [
    'a name with escapes',
    'scratchpad://schemas/tv%C3%A5%20ord',
    { kind: 'schema', schema: {}, id: 'id-2', ref: 'scratchpad://schemas/tv%C3%A5%20ord' },
  ],
  ['a missing name', 'scratchpad://schemas/none', { kind: 'missing', ref: 'scratchpad://schemas/none' }],
  ['a broken escape', 'scratchpad://schemas/%E0', { kind: 'missing', ref: 'scratchpad://schemas/%E0' }],
  ['a missing $ref', { $ref: 'scratchpad://schemas/none' }, { kind: 'missing', ref: 'scratchpad://schemas/none' }],
  ['a text that is neither', 'no such thing', { kind: 'missing', ref: 'no such thing' }],
  [
    'a pointer into a shared schema',
    { $ref: 'scratchpad://schemas/person#/$defs/a' },
    {
      kind: 'schema',
      schema: { $ref: 'scratchpad://schemas/person#/$defs/a' },
      id: 'id-1',
      ref: 'scratchpad://schemas/person#/$defs/a',
    },
  ],
  [
    'a $ref with other keywords',
    { $ref: 'scratchpad://schemas/person', title: 'x' },
    { kind: 'schema', schema: { $ref: 'scratchpad://schemas/person', title: 'x' } },
  ],
  ['a $ref of the schema itself', { $ref: '#/$defs/a' }, { kind: 'schema', schema: { $ref: '#/$defs/a' } }],
])('resolves %s', (_, given, resolved) => {
  expect(resolveSchema(given, lookup)).toEqual(resolved);
});

test('prefers an id over an equal name', () => {
  const same = toSchemaLookup([row('a', 'b', { n: 1 }), row('b', 'a', { n: 2 })]);
  expect(resolveSchema('scratchpad://schemas/a', same)).toMatchObject({ id: 'a', schema: { n: 1 } });
  expect(same.shared).toEqual({ a: { n: 1 }, b: { n: 2 } });
});

test('treats names of the object prototype as plain names', () => {
  expect(resolveSchema('scratchpad://schemas/constructor', lookup)).toMatchObject({ kind: 'missing' });
  const odd = toSchemaLookup([row('x', '__proto__', { n: 1 })]);
  expect(resolveSchema('scratchpad://schemas/__proto__', odd)).toMatchObject({ id: 'x' });
  expect(Object.keys(odd.shared)).toEqual(['__proto__', 'x']);
});
