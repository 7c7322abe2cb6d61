import { expect, it } from 'vitest';
import { parsePage } from './compile-markdown.ts';

it('parses YAML front matter with Unix or Windows line ends and a byte order mark', () => {
  const split = { values: { title: 'A', tags: ['b'], since: '2026-01-02' }, body: '# A\n' };
  const text = '---\ntitle: A\ntags: [b]\nsince: 2026-01-02\n---\n# A\n';
  expect(parsePage(text)).toEqual(split);
  expect(parsePage(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(split);
});

it('accepts missing and empty front matter', () => {
  expect(parsePage('# A\n')).toEqual({ values: {}, body: '# A\n' });
  expect(parsePage('---\n---\n# A\n')).toEqual({ values: {}, body: '# A\n' });
  expect(parsePage('---\n~\n---\n# A\n')).toEqual({ values: {}, body: '# A\n' });
});

it.each(['- a', 'only text', '7', '[]'])('rejects front matter that is %j', (yaml) => {
  expect(() => parsePage(`---\n${yaml}\n---\n`)).toThrow('the front matter is not a map of key: value');
});

it('rejects invalid YAML with a one-line message', () => {
  expect(() => parsePage('---\na: [\n---\n')).toThrow(/^the front matter is not valid YAML: [^\n]+$/);
});
