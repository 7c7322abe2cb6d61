import { expect, it } from 'vitest';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { readQuery } from './read-query.ts';
import { createNamedShare, priorOf } from './section-prior.ts';

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
  expect(priorOf(id, name, () => 1)).toBeGreaterThan(priorOf(id, name, () => 0));
});
