import { expect, it } from 'vitest';
import { findMentions, findPackageNames } from './find-mentions.ts';

const known = ['@hono/zod-validator', '@nestjs/core', 'express', 'hono', 'next', 'vue', 'zod'];

const mentionsIn = (query: string) =>
  findMentions(query, known).all.map(({ library, range, rest }) => [library, range, rest] as const);

it.each([
  ['how do I read a query parameter in hono', 'hono', undefined, 'how do I read a query parameter in'],
  ['zod optional field', 'zod', undefined, 'optional field'],
  ['Zod: optional field?', 'zod', undefined, ': optional field?'],
  ['zod 3 optional', 'zod', '3', 'optional'],
  ['zod v4 optional', 'zod', 'v4', 'optional'],
  ['optional in zod@3.23', 'zod', '3.23', 'optional in'],
  ['@hono/zod-validator errors', '@hono/zod-validator', undefined, 'errors'],
  ['errors of zod-validator', '@hono/zod-validator', undefined, 'errors of'],
  ['middleware in next.js', 'next', undefined, 'middleware in'],
  ['Vue.js slots', 'vue', undefined, 'slots'],
  ['express error handler', 'express', undefined, 'error handler'],
  ['hook in Feathers 4', 'feathers', '4', 'hook in'],
  ['hook in FeathersJS v4.5', 'feathers', 'v4.5', 'hook in'],
  ['v4 hook', 'feathers', 'v4', 'hook'],
  ['upgrade feathers from v3 to v4', 'feathers', 'v4', 'upgrade from v3 to'],
  ['hooks in feathers', 'feathers', undefined, 'hooks in'],
])('%s names %s', (query, library, range, rest) => {
  expect(mentionsIn(query)).toEqual([[library, range, rest]]);
});

it('finds several libraries, each without its own name', () => {
  expect(mentionsIn('validate with zod in hono')).toEqual([
    ['zod', undefined, 'validate with in hono'],
    ['hono', undefined, 'validate with zod in'],
  ]);
  expect(findMentions('validate with zod in hono', known).rest).toBe('validate with in');
});

it.each([
  'call the next function',
  'what comes next in the chain',
  'how do I express a union',
  'core concepts',
  'migrate from v4 to v5',
  'optional field',
  'zodiac signs',
  'the honorary member',
  '',
])('"%s" names nothing', (query) => {
  expect(mentionsIn(query)).toEqual([]);
  expect(findMentions(query, known).rest).toBe(query);
});

it('keeps a query that is only a name', () => {
  expect(mentionsIn('zod')).toEqual([['zod', undefined, 'zod']]);
  expect(findMentions('in zod', known).rest).toBe('in zod');
});

it.each([
  ['zod refine', ['zod']],
  ['how does Zod v4 refine', ['zod']],
  ['router of vue.js', ['vue']],
  ['errors of @hono/zod-validator in hono', ['@hono/zod-validator', 'hono']],
  ['pages in next 15', ['next']],
  ['pages in next@15', ['next']],
  ['pages in next.js', ['next']],
])('"%s" names the packages %j', (query, names) => {
  expect(findPackageNames(query, new Set(known))).toEqual(names);
});

it.each([
  'the next page',
  'next page',
  'what comes next',
  'retry a request three times',
  'express a union',
  'zodiac',
  'zod-validator',
  'core concepts',
  'react hooks',
  '',
])('"%s" names no package', (query) => {
  expect(findPackageNames(query, new Set([...known, 'retry', 'three']))).toEqual([]);
});

it('takes little time for long queries', () => {
  for (const sign of ['zod ', '@', 'a@', 'v4 ', '. ']) expect(findMentions(sign.repeat(10_000), known)).toBeDefined();
});
