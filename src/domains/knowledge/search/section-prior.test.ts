import { expect, it } from 'vitest';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { readQuery } from './read-query.ts';
import { addPages, createNamedShare, createPrior, type PriorContext } from './section-prior.ts';

const priorOf = (id: string, title?: string, more: PriorContext = {}): number =>
  createPrior({ titleOf: () => title, ...more })(id);

type Place = readonly [id: string, title?: string];

it.each<readonly [string, Place, Place]>([
  ['prose above declarations', ['zod@4.1.0/README.md#usage'], ['zod@4.1.0/v4/classic/schemas.d.ts#object', 'object']],
  ['prose above a changelog', ['zod@4.1.0/docs/usage.md#usage'], ['zod@4.1.0/CHANGELOG.md#400']],
  ['the root export above the core', ['zod@4.1.0/v4/classic/a.d.ts#x', 'x'], ['zod@4.1.0/v4/core/a.d.ts#x', 'x']],
  ['the root export above a variant', ['zod@4.1.0/index.d.ts#x', 'x'], ['zod@4.1.0/mini/index.d.ts#x', 'x']],
  ['this major version above an earlier one', ['zod@4.1.0/v4/a.d.ts#x', 'x'], ['zod@4.1.0/v3/a.d.ts#x', 'x']],
  ['the core above an earlier major version', ['z@4.1.0/core/a.d.ts#x', 'x'], ['z@4.1.0/v3/a.d.ts#x', 'x']],
  ['the root export above utilities', ['a@1/index.d.ts#x', 'x'], ['a@1/util.d.ts#x', 'x']],
  ['functions above types', ['a@1/index.d.ts#parse', 'parse'], ['a@1/index.d.ts#parser', 'Parser']],
  ['public names above private ones', ['a@1/index.d.ts#parse', 'Parse'], ['a@1/index.d.ts#_parse', '_parse']],
  ['public names above internals', ['a@1/index.d.ts#t', 'ZodType'], ['a@1/index.d.ts#t', '$ZodTypeInternals']],
])('[KN25] puts %s', (_what, better, worse) => {
  expect(priorOf(...better)).toBeGreaterThan(priorOf(...worse));
  expect(priorOf(...worse)).toBeGreaterThan(0);
});

it('[KN25] is 1 for the base and for every page of prose', () => {
  for (const id of ['v5/hooks#around-hooks', 'a@1/docs/core/index.md#internals', 'a@latest/v0/x.md#_x'])
    expect(priorOf(id)).toBe(1);
});

it('keeps the folder of the own major version, and that of a version without numbers', () => {
  expect(priorOf('zod@3.25.0/v3/index.d.ts#x')).toBe(priorOf('zod@3.25.0/index.d.ts#x'));
  expect(priorOf('zod@latest/v3/index.d.ts#x')).toBe(priorOf('zod@latest/index.d.ts#x'));
});

it('[KN25] measures how much of a name the query has, by its words, compounds and synonyms', () => {
  const stemOf = createStemmer();
  const shareOf = (query: string, name: string) => createNamedShare(readQuery(query, stemOf), stemOf)(name);
  expect(shareOf('send a cookie', 'setCookie')).toBe(0.5);
  expect(shareOf('cookies', 'cookie')).toBe(1);
  expect(shareOf('json web token', 'jwt')).toBe(1);
  expect(shareOf('server-sent events', 'streamSSE')).toBe(1);
  expect(shareOf('send a cookie', 'jwt')).toBe(0);
  const [id, name] = ['a@1/index.d.ts#jwt', 'jwt'];
  const named = (share: number) => priorOf(id, name, { namedShare: () => share });
  expect(named(1)).toBeGreaterThan(named(0));
});

it.each([
  'CHANGELOG.md',
  'docs/CHANGELOG-v3.md',
  'PROJECT_CHARTER.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/Guides/Migration-Guide-V3.md',
  'UPGRADING.md',
])('[KN25] puts %s below other prose, unless the question is about changes or the project', (path) => {
  const id = `a@1/${path}#x`;
  expect(priorOf(id, '', { query: 'change the default error handler' })).toBeLessThan(priorOf('a@1/docs/x.md#x'));
  for (const query of ['how do I upgrade to v5', 'what changed in 4.2', 'contribute or report a vulnerability'])
    expect(priorOf(id, '', { query })).toBe(1);
});

it('keeps pages whose names only resemble those of a project', () => {
  for (const path of ['docs/history-api.md', 'docs/security.md', 'docs/state-changes.md', 'docs/authors-table.md'])
    expect(priorOf(`a@1/${path}#x`, '', { query: 'how do I go back' })).toBe(1);
});

it('[KN25] puts declarations without a comment, deprecated ones and link lists below others', () => {
  const [declared, prose] = ['a@1/index.d.ts#parse', 'a@1/README.md#usage'];
  const is = (id: string, kind: string) => priorOf(id, 'parse', { isOfKind: (_id, one) => one === kind });
  expect(is(declared, 'bare')).toBeLessThan(is(declared, 'none'));
  expect(is(declared, 'deprecated')).toBeLessThan(is(declared, 'bare'));
  expect(is(prose, 'aside')).toBeLessThan(is(prose, 'none'));
});

it('[KN25] puts declarations with more of the query above others, and prose where it is', () => {
  const half = { relevanceOf: () => 0.5 };
  expect(priorOf('a@1/index.d.ts#parse', 'parse', half)).toBeLessThan(priorOf('a@1/index.d.ts#parse', 'parse'));
  expect(priorOf('a@1/README.md#usage', '', half)).toBe(1);
});

it('[KN25] raises a section whose page has another good section', () => {
  const hits = [
    { id: 'a@1/one.md#a', score: 1 },
    { id: 'a@1/two.md#a', score: 0.9 },
    { id: 'a@1/two.md#b', score: 0.8 },
  ];
  const best = addPages(hits).toSorted((a, b) => b.score - a.score);
  expect(best.map(({ id }) => id)).toEqual(['a@1/two.md#a', 'a@1/one.md#a', 'a@1/two.md#b']);
});
