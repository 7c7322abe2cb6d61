import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchUri, toUri } from './resource.ts';

const value = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed());

test('restores the variables of a URI made from a template', () => {
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
])('does not match %s', (_, uri) => {
  expect(matchUri('note://{id}', uri)).toBeUndefined();
});

test('requires the literal after the last variable, and nothing after it', () => {
  expect(matchUri('test://template/{id}/data', 'test://template/7/data')).toEqual({ id: '7' });
  expect(matchUri('test://template/{id}/data', 'test://template/7')).toBeUndefined();
  expect(matchUri('test://template/{id}/data', 'test://template/7/data/more')).toBeUndefined();
});

test('allows slashes only in a path variable', () => {
  const template = 'doc://{library}/{version}/{+path}';
  expect(matchUri(template, 'doc://react/19.2.0/guides/hooks.md')).toEqual({
    library: 'react',
    version: '19.2.0',
    path: 'guides/hooks.md',
  });
  expect(toUri(template, { library: '@a/b', version: '1', path: 'x y/z' })).toBe('doc://%40a%2Fb/1/x%20y/z');
  expect(matchUri(template, 'doc://react/19.2.0/')).toBeUndefined();
  fc.assert(
    fc.property(value, value, value, (library, version, path) => {
      expect(matchUri(template, toUri(template, { library, version, path }))).toEqual({ library, version, path });
    }),
  );
});
