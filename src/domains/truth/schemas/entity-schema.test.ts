import { expect, test } from 'vitest';
import { compareVersions, findLostFields, type SchemaFields } from './entity-schema.ts';

test('compares versions as numbers', () => {
  expect(['1.10', '10.0', '1.9', '1.0', '2.1'].sort(compareVersions)).toEqual(['1.0', '1.9', '1.10', '2.1', '10.0']);
});

test('a removed field or a changed type is lost; a changed policy is not', () => {
  const schema = (fields: SchemaFields) => ({ entity_type: 'x', version: '1.0', fields });
  const before = schema({ b: { type: 'string' }, a: { type: 'number' }, ['constructor']: { type: 'date' as const } });
  expect(findLostFields(before, schema({ b: { type: 'number' } }))).toEqual(['a', 'b', 'constructor']);
  const after = schema({ ...before.fields, b: { type: 'string', strategy: 'merge_array', identifier: true } });
  expect(findLostFields(before, after)).toEqual([]);
});
