import { expect, test } from 'vitest';
import { notebookLimits } from '../notebook-limits.ts';
import { findUnresolvedReferences } from './schema-references.ts';

const pointersOf = (schema: object) => findUnresolvedReferences(schema, []).map((warning) => warning.split(': ', 1)[0]);

test.each([
  ['nothing', { type: 'object' }],
  ['itself', { properties: { next: { $ref: '#' } } }],
  ['a part of itself', { $defs: { 'a/b': {} }, items: { $ref: '#/$defs/a~1b' } }],
  ['an escaped part', { $defs: { 'ä b': {} }, items: { $ref: '#/$defs/%C3%A4%20b' } }],
  ['an item of a list', { allOf: [{ type: 'object' }, { $ref: '#/allOf/0' }] }],
  ['an anchor', { $defs: { x: { $anchor: 'here' } }, $ref: '#here' }],
  ['an anchor of draft 7', { definitions: { x: { $id: '#here' } }, $ref: '#here' }],
  ['its own id', { $id: 'https://example.com/a', items: { $ref: 'https://example.com/a#' } }],
  ['a part by its id', { $id: 'https://example.com/a/', $defs: { x: { $id: 'x' } }, items: { $ref: 'x' } }],
  ['a standard dialect', { $schema: 'http://json-schema.org/draft-07/schema#', items: { type: 'string' } }],
  ['the schema of schemas', { $ref: 'https://json-schema.org/draft/2020-12/schema' }],
  ['data that looks like one', { const: { $ref: 'https://example.com/a' }, enum: [{ $ref: 'b' }] }],
  ['a property of that name', { properties: { $ref: { type: 'string' }, $schema: {} } }],
])('does not warn about a reference to %s', (_, schema) => {
  expect(findUnresolvedReferences(schema, [])).toEqual([]);
});

test.each([
  [{ $ref: 'https://example.com/a' }, ['/$ref']],
  [{ $ref: 'file:///etc/passwd' }, ['/$ref']],
  [{ items: [{ $ref: 'other' }, { not: { $dynamicRef: 'other#x' } }] }, ['/items/0/$ref', '/items/1/not/$dynamicRef']],
  [{ $ref: '#/$defs/missing' }, ['/$ref']],
  [{ $ref: '#missing' }, ['/$ref']],
  [{ properties: { enum: { $ref: 'other' } } }, ['/properties/enum/$ref']],
  [{ $schema: 'https://example.com/dialect' }, ['/$schema']],
  [{ $ref: 'http://json-schema.org.example.com/draft-07/schema' }, ['/$ref']],
])('warns about each unresolved reference: %j', (schema, pointers) => {
  expect(pointersOf(schema)).toEqual(pointers);
});

test('limits the number of warnings, also for a schema deeper than the call stack', () => {
  const items = Array.from({ length: 500 }, (_, i) => ({ $ref: `https://example.com/${'x'.repeat(i)}` }));
  const warnings = findUnresolvedReferences({ anyOf: items }, []);
  expect(warnings).toHaveLength(notebookLimits.warningsCount);
  let deep: object = { $ref: 'nowhere' };
  for (let i = 0; i < 50_000; i += 1) deep = { not: deep };
  expect(findUnresolvedReferences(deep, [])).toHaveLength(1);
});
