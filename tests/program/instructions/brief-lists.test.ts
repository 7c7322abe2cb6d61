import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogProgram, type Json, mutationOn } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { type Entry, entryFiles, entryIds, entryInput } from './entries.fixture.ts';

const briefKeys = ['id', 'priority', 'requirement', 'sourceHash', 'status', 'title', 'version'];

describe.each(engines)('[IN10] brief lists, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, mutationOn, entryFiles);
  });
  afterAll(() => program?.close());

  const ask = <T = Json>(action: string, args: Json = {}) =>
    program.value<T>('tools/call', `instructions/${action}`, args);
  const keysOf = (entries: readonly object[]) => entries.map((entry) => Object.keys(entry).toSorted());

  it('list leaves out everything but what identifies an entry, and only on request', async () => {
    const whole = await ask<{ hash: string; items: Entry[] }>('list');
    const brief = await ask<{ hash: string; count: number; items: Entry[] }>('list', { brief: true });
    expect(brief).toMatchObject({ hash: whole.hash, count: 3 });
    expect(keysOf(brief.items)).toEqual(entryIds.map(() => briefKeys));
    for (const [i, item] of brief.items.entries()) expect(whole.items[i]).toMatchObject(item);
    expect(whole.items[0]).toHaveProperty('body');
    expect(await ask('list', { brief: true, category: 'GIT', limit: 1, after: 'beta' })).toMatchObject({
      count: 2,
      items: [{ id: 'gamma' }],
    });
  });

  it('diff names what differs without the bodies', async () => {
    const { hash, items } = await ask<{ hash: string; items: Entry[] }>('list', { brief: true });
    const known = items.map(({ id, sourceHash }) => ({ id, sourceHash }));
    await ask('add', { entry: entryInput('delta') });
    await ask('add', { entry: { id: 'beta', body: 'Other.' }, overwrite: true });
    await ask('remove', { ids: ['gamma'] });
    const diff = await ask<{ added: Entry[]; updated: Entry[] }>('diff', { clientHash: hash, known, brief: true });
    expect(diff).toMatchObject({ added: [{ id: 'delta' }], updated: [{ id: 'beta' }], removed: ['gamma'] });
    expect(keysOf([...diff.added, ...diff.updated])).toEqual([briefKeys, briefKeys]);
    const all = await ask<{ changed: Entry[]; hash: string }>('diff', { clientHash: hash, brief: true });
    expect(keysOf(all.changed)).toEqual([briefKeys, briefKeys, briefKeys]);
    expect(await ask('diff', { clientHash: all.hash, brief: true })).toMatchObject({ upToDate: true });
  });

  it('the descriptions of both recommend it', async () => {
    const { mcp } = await program.value<{ mcp: { tools: { name: string; description: string }[] } }>(
      'tools/call',
      'meta/tools',
    );
    for (const name of ['instructions/list', 'instructions/diff']) {
      expect(mcp.tools.find((tool) => tool.name === name)?.description).toContain('brief: true');
    }
  });
});
