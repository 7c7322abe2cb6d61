import { expect, test } from 'vitest';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { splitFields } from '../schemas/fit-value.ts';

const schema: EntitySchema = {
  entity_type: 'thing',
  version: '1.0',
  fields: { name: { type: 'string' }, size: { type: 'number' }, made: { type: 'date' } },
};

test('[TR10] keeps unknown and unfitting values as raw fragments, and ignores null', () => {
  const stated = JSON.parse('{"name":"a","size":"big","made":null,"color":"red","constructor":1,"__proto__":2}');
  const { fields, rawFragments } = splitFields(schema, stated);
  expect(Object.entries(fields)).toEqual([['name', 'a']]);
  expect(Object.entries(rawFragments)).toEqual([
    ['size', 'big'],
    ['color', 'red'],
    ['constructor', 1],
    ['__proto__', 2],
  ]);
});

test('[TR11] specificity is the share of stated fields, to four decimals', () => {
  expect(splitFields(schema, { name: 'a', other: 1 }).specificity).toBe(0.3333);
  expect(splitFields(schema, { name: 'a', size: 1, made: '2025-01-01' }).specificity).toBe(1);
  expect(splitFields({ ...schema, fields: {} }, { name: 'a' }).specificity).toBe(0);
});
