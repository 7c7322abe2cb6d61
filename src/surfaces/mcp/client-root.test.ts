import { expect, test } from 'vitest';
import { createClientRoot } from './client-root.ts';
import { mcpLimits } from './mcp-deps.ts';

const rootsOf = (...uris: readonly unknown[]) => ({ roots: uris.map((uri) => ({ uri })) });

test('asks once, and again after a change', async () => {
  const answers = [rootsOf('file:///one'), rootsOf('file:///two')];
  const root = createClientRoot(async () => answers.shift());
  expect(await root.find()).toBe('/one');
  expect(await root.find()).toBe('/one');
  root.changed();
  expect(await root.find()).toBe('/two');
  expect(answers).toEqual([]);
});

test('does not wait again for a client that is slow, and uses its answer when it comes', async () => {
  const slow = Promise.withResolvers<unknown>();
  const root = createClientRoot(() => slow.promise, 1);
  expect(await root.find()).toBeUndefined();
  expect(await root.find()).toBeUndefined();
  slow.resolve(rootsOf('file:///late'));
  await slow.promise;
  expect(await root.find()).toBe('/late');
});

test('ignores an answer that a change has overtaken', async () => {
  const first = Promise.withResolvers<unknown>();
  const lists = [() => first.promise, async () => rootsOf('file:///new')];
  const root = createClientRoot(() => lists.shift()!(), 1);
  await root.find();
  root.changed();
  expect(await root.find()).toBe('/new');
  first.resolve(rootsOf('file:///old'));
  await first.promise;
  expect(await root.find()).toBe('/new');
});

test.each([
  ['no list', {}],
  ['nothing', undefined],
  ['an empty list', rootsOf()],
  ['another scheme', rootsOf('https://example.com/x')],
  ['a host', rootsOf('file://elsewhere/x')],
  ['no text', rootsOf(7, null)],
  ['a long text', rootsOf(`file:///${'x'.repeat(mcpLimits.rootChars)}`)],
])('finds no folder in %s', async (_, answer) => {
  expect(await createClientRoot(async () => answer).find()).toBeUndefined();
});

test('finds no folder if the client refuses', async () => {
  const refuse = () => Promise.reject(new Error('no'));
  expect(await createClientRoot(refuse).find()).toBeUndefined();
});
