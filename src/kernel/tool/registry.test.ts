import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createInvokeFixture } from './invoke.fixture.ts';
import { spellings, toListedName } from './names.ts';
import { type BoundTool, createRegistry, type ToolsetLoader } from './registry.ts';

const { cards } = createInvokeFixture([{ name: 'a/one', aliases: ['a/uno'] }, { name: 'a/two' }, { name: 'b/three' }]);
const [one, two, three] = cards as [(typeof cards)[0], (typeof cards)[0], (typeof cards)[0]];
const bound = { input: undefined, output: undefined, run: () => ({}) } as never as BoundTool;
const both = new Map([
  ['a/one', bound],
  ['a/two', bound],
  ['b/three', bound],
]);

describe('the registry', () => {
  it('finds a tool by every spelling of its name and its aliases', () => {
    const registry = createRegistry(cards, {});
    for (const name of ['a/one', 'a_one', 'a/uno', 'a_uno']) expect(registry.find(name), name).toBe(one);
    expect(registry.find('a/four')).toBeUndefined();
    expect(registry.cards).toBe(cards);
  });

  it.each([
    [{ ...two, name: 'a_one' }, 'a_one'],
    [{ ...two, name: 'x', aliases: ['a/uno'] }, 'a/uno'],
  ])('rejects two tools with the same name', (clash, name) => {
    expect(() => createRegistry([one, clash], {})).toThrow(`two tools are called ${name}: a/one, ${clash.name}`);
  });

  it('loads a toolset once, at the first call of one of its tools', async () => {
    const loader = vi.fn<ToolsetLoader>(async () => both);
    const registry = createRegistry(cards, { fixture: loader });
    expect(loader).not.toHaveBeenCalled();
    await Promise.all([registry.load(one), registry.load(two), registry.load(one), registry.load(three)]);
    expect(loader).toHaveBeenCalledTimes(1);
    expect(registry.load(one)).toBe(bound);
  });

  it('retries after a failed load', async () => {
    const loader = vi.fn<ToolsetLoader>(async () => both).mockRejectedValueOnce(new Error('the store is away'));
    const registry = createRegistry(cards, { fixture: loader });
    await expect(registry.load(one)).rejects.toThrow('the store is away');
    expect(await registry.load(one)).toBe(bound);
  });

  it('reports a mismatch of code and cards', async () => {
    await expect(createRegistry(cards, {}).load(one)).rejects.toThrow('toolset fixture has no loader');
    const stale = createRegistry(cards, { fixture: async () => new Map([['a/two', bound]]) });
    await expect(stale.load(one)).rejects.toThrow('toolset fixture lacks a/one: run fourfold generate');
  });
});

describe('the name of a tool', () => {
  it.each([
    ['health/check', 'health_check'],
    ['instructions/governanceHash', 'instructions_governance_hash'],
    ['scratch_create', 'scratch_create'],
    ['search_docs', 'search_docs'],
    ['tools/Find', 'tools_find'],
  ])('lists %s as %s', (name, listed) => {
    expect(toListedName(name)).toBe(listed);
  });

  it('is listed in a form that every client accepts, and is stable', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}[A-Z]?[a-z]{1,4}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), (words) => {
        const listed = toListedName(words.join('/'));
        expect(listed).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
        expect(toListedName(listed)).toBe(listed);
      }),
    );
  });

  it('has each spelling once', () => {
    expect(spellings('a/bC')).toEqual(['a/bC', 'a_bC', 'a_b_c']);
    expect(spellings('scratch_create')).toEqual(['scratch_create']);
  });
});
