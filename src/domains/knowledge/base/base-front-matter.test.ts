import { expect, it } from 'vitest';
import { parsePage } from './compile-markdown.ts';

it('is a map of YAML between two lines of dashes, wherever the file was written', () => {
  const split = { values: { title: 'A', tags: ['b'], since: '2026-01-02' }, body: '# A\n' };
  const text = '---\ntitle: A\ntags: [b]\nsince: 2026-01-02\n---\n# A\n';
  expect(parsePage(text)).toEqual(split);
  expect(parsePage(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(split);
});

it('may be missing or empty', () => {
  expect(parsePage('# A\n')).toEqual({ values: {}, body: '# A\n' });
  expect(parsePage('---\n---\n# A\n')).toEqual({ values: {}, body: '# A\n' });
  expect(parsePage('---\n~\n---\n# A\n')).toEqual({ values: {}, body: '# A\n' });
});

it.each(['- a', 'only text', '7', '[]'])('is refused in our own words when it is %j', (yaml) => {
  expect(() => parsePage(`---\n${yaml}\n---\n`)).toThrow('the front matter is no map of key: value');
});

it('is refused in one line when it is no YAML', () => {
  expect(() => parsePage('---\na: [\n---\n')).toThrow(/^the front matter is no YAML: [^\n]+$/);
});
