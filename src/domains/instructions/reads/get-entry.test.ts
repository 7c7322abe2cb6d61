import { describe, expect, it } from 'vitest';
import { createEntry, fixtureNow } from '../catalog/memory-catalog.fixture.ts';
import { openReads } from './reads.fixture.ts';

const a = createEntry({ id: 'a' });
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe('instructions/get', () => {
  it('returns the entry with the catalog hash and its usage', async () => {
    const { ask, counts } = openReads([a]);
    const { hash } = await ask('list');
    expect(await ask('get', { id: 'a' })).toEqual({ hash, item: a });
    counts.set('a', { usageCount: 2, lastUsedAt: fixtureNow });
    expect(await ask('get', { id: 'a' })).toEqual({ hash, item: { ...a, usageCount: 2, lastUsedAt: fixtureNow } });
  });

  it('answers notFound with the id and the hash', async () => {
    expect(await openReads([]).ask('get', { id: 'x' })).toEqual({ notFound: true, id: 'x', hash: emptyHash });
  });

  it('[IN7] sees an outside edit immediately, also in the hash', async () => {
    const { ask, catalog } = openReads([a]);
    const before = (await ask('list'))['hash'];
    catalog.drop(createEntry({ id: 'a', body: 'edited' }));
    const got = await ask('get', { id: 'a' });
    expect(got['item']).toMatchObject({ body: 'edited' });
    expect(got['hash']).not.toBe(before);
  });

  it('reads only its own entry', async () => {
    const { ask, catalog } = openReads([a, createEntry({ id: 'b' })]);
    await ask('get', { id: 'a' });
    expect(catalog.calls).toEqual(['lookUp a', 'state']);
  });

  it.each(['../escape', '/etc/passwd', 'a/../a', 'A', 'a.json', '..', 'con\u2028', 'a\\b', '-', 'x'.repeat(200)])(
    'finds nothing under %j and reads no file',
    async (id) => {
      const { ask, catalog } = openReads([a]);
      expect(await ask('get', { id })).toMatchObject({ notFound: true, id });
      expect(await ask('getEnhanced', { id })).toMatchObject({ notFound: true, id });
      expect(await ask('inspect', { id })).toMatchObject({ notFound: true, id });
      expect(catalog.calls.filter((what) => what.startsWith('lookUp'))).toEqual([]);
    },
  );

  it('rejects a call without an id', async () => {
    expect((await openReads([]).ask('get')).error?.code).toBe(-32602);
  });
});

describe('instructions/getEnhanced', () => {
  it('[IN8] reports that a file was found only now', async () => {
    const { ask, catalog, traces } = openReads([]);
    catalog.drop(a);
    expect(await ask('getEnhanced', { id: 'a' })).toMatchObject({ item: a, lateMaterialized: true });
    expect(traces.at(-1)).toEqual([
      'getEnhanced',
      { id: 'a', found: true, lateMaterialized: true, repairedVisibility: true },
    ]);
    expect(await ask('getEnhanced', { id: 'a' })).toMatchObject({ item: a, lateMaterialized: false });
  });

  it('reports why a file is not served, and counts it', async () => {
    const { ask, catalog, counters } = openReads([]);
    catalog.dropBroken('b');
    expect(await ask('getEnhanced', { id: 'b' })).toEqual({
      notFound: true,
      id: 'b',
      hash: emptyHash,
      problem: { file: 'b.json', problem: 'not JSON' },
    });
    expect(counters).toEqual(['lateMaterializeRejected']);
  });
});
