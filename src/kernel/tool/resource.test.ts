import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchUri, toUri } from './resource.ts';

const value = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed());

test('a URI made from a template gives its variables back, whatever they hold', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(matchUri('note://{id}', toUri('note://{id}', { id: a }))).toEqual({ id: a });
      const template = 'pad://{pad}/cells/{cell}';
      expect(matchUri(template, toUri(template, { pad: a, cell: b }))).toEqual({ pad: a, cell: b });
    }),
  );
});

test.each([
  ['another scheme', 'doc://a'],
  ['nothing where the variable stands', 'note://'],
  ['one segment too many', 'note://a/b'],
  ['an escape that is none', 'note://%zz'],
])('%s does not match', (_, uri) => {
  expect(matchUri('note://{id}', uri)).toBeUndefined();
});

test('what follows the last variable must be there, and nothing after it', () => {
  expect(matchUri('test://template/{id}/data', 'test://template/7/data')).toEqual({ id: '7' });
  expect(matchUri('test://template/{id}/data', 'test://template/7')).toBeUndefined();
  expect(matchUri('test://template/{id}/data', 'test://template/7/data/more')).toBeUndefined();
});
