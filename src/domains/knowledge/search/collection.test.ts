import { expect, it } from 'vitest';
import { type Section, toDocument, typesCategory } from './collection.ts';

const section = (more: Partial<Section>): Section => ({
  ...{ library: 'a', version: '1', category: 'docs', title: 'Usage', breadcrumb: ['Page', 'Usage'], path: 'a.md' },
  text: 'Call parse with a value.',
  ...more,
});
const kindOf = (more: Partial<Section>) => toDocument('a@1/a.md#x', section(more)).facets?.['kind'];

it.each<readonly [string, Partial<Section>]>([
  ['a list of links', { text: '- [Quick start](#quick)\n- [Install](#install)\n- [Core](https://a.example/core)' }],
  ['a project that speaks of itself', { title: 'Contributing' }],
  ['a signature', { title: 'fastify.Reply< RawServer, RouteGeneric>' }],
  ['a head with a few words', { breadcrumb: ['Zod'], text: 'TypeScript-first schemas.' }],
])('knows %s as an aside', (_what, more) => {
  expect(kindOf(more)).toEqual(['aside']);
});

it.each<readonly [string, Partial<Section>]>([
  ['prose', {}],
  ['a short part of a page', { text: 'Stops the server.' }],
  ['prose with links', { text: 'Use [parse](#parse) to read a value, and [format](#format) to write one again.' }],
  ['a head with an example', { breadcrumb: ['Zod'], text: `Schemas.\n\n\`\`\`ts\n${'a.b();\n'.repeat(30)}\`\`\`` }],
  ['a heading with a sign', { title: 'if a < b and b > c' }],
])('knows %s as an answer', (_what, more) => {
  expect(kindOf(more)).toEqual([]);
});

it('knows declarations without a comment and deprecated ones', () => {
  const declared = (text: string) => kindOf({ category: typesCategory, title: 'parse', text });
  const code = '```ts\nparse(): void;\n```';
  expect(declared(code)).toEqual(['bare']);
  expect(declared(`Reads a value.\n\n${code}`)).toEqual([]);
  expect(declared(`@deprecated Use read.\n\n${code}`)).toEqual(['deprecated']);
  expect(declared(`Reads.\n\n@deprecated Use read.\n\n${code}`)).toEqual(['deprecated']);
});
