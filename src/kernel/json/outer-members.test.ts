import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOuterMembers } from './outer-members.ts';

const read = (text: string | Buffer, ...names: string[]) =>
  Object.fromEntries(readOuterMembers(Buffer.from(text), names));

const short = fc.oneof(fc.integer(), fc.string({ maxLength: 40, unit: 'grapheme' }), fc.boolean(), fc.constant(null));

test('reads the members of any object like the parser, wherever they are', () => {
  const object = fc.dictionary(
    fc.constantFrom('id', 'method', 'a', '"', '{"id":1,', ':'),
    fc.oneof(short, fc.jsonValue()),
  );
  fc.assert(
    fc.property(object, short, fc.boolean(), (before, id, indented) => {
      const value = { ...before, id };
      const text = JSON.stringify(value, null, indented ? 2 : 0);
      expect(read(text, 'id').id).toEqual((JSON.parse(text) as { id: unknown }).id);
      expect(Object.hasOwn(read(text, 'a'), 'a')).toBe(Object.hasOwn(value, 'a'));
    }),
  );
});

test('reads the members before brackets that are never closed', () => {
  expect(read(`{"id":1,"method":"x","params":${'['.repeat(100_000)}`, 'id', 'method')).toEqual({ id: 1, method: 'x' });
});

test.each([
  ['a member of the same name further down', '{"params":{"id":1,"deeper":[{"id":2}]},"x":[{"id":3}]}'],
  ['one inside of a text', '{"x":"\\",\\"id\\":1"}'],
  ['one of a list', '[{"id":1}]'],
  ['one of a second object', '{} {"id":1}'],
  ['no object at all', ']]}}"id":1'],
  ['a name without a value', '{"id"}'],
])('does not accept %s', (_, text) => {
  expect(read(text, 'id')).toEqual({});
});

test('takes the last of two, decodes escaped names, and ignores long, broken or non-UTF-8 members', () => {
  expect(read('{"id":1,"\\u0069d":2}', 'id')).toEqual({ id: 2 });
  expect(read(`{"id":"${'x'.repeat(2000)}"}`, 'id')).toEqual({ id: undefined });
  expect(read('{"id":1 2}', 'id')).toEqual({ id: undefined });
  expect(read(Buffer.from([...Buffer.from('{"id":"'), 0xff, ...Buffer.from('"}')]), 'id')).toEqual({ id: undefined });
});
