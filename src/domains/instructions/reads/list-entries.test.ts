import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { createEntry, fixtureNow } from '../catalog/memory-catalog.fixture.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { idsOf, openReads } from './reads.fixture.ts';

const a = createEntry({ id: 'a', categories: ['Git'] });
const b = createEntry({ id: 'b', categories: ['git', 'style'], userId: 'ann' });
const c = createEntry({ id: 'c', workspaceId: 'shop' });
const hash = sha256Hex([a, b, c].map(({ id, sourceHash }) => `${id}:${sourceHash}`).join('|'));
const notFoundFlags = { attemptedLate: true, attemptedReload: false, lateMaterialized: false };

describe('instructions/list', () => {
  it('lists all entries by id with the catalog hash', async () => {
    const { ask } = openReads([c, a, b]);
    expect(await ask('list')).toEqual({ hash, count: 3, schemaVersion: '2', items: [a, b, c] });
  });

  it('lists one category, ignoring case, and counts all its entries', async () => {
    const { ask } = openReads([a, b, c]);
    expect(await ask('list', { category: 'GIT', limit: 1, offset: 1 })).toMatchObject({ count: 2, items: [b] });
    expect(await ask('list', { category: 'none' })).toMatchObject({ hash, count: 0, items: [] });
    expect(await ask('list', { offset: 7 })).toMatchObject({ count: 3, items: [] });
  });

  it('adds usage counts without changing the entry', async () => {
    const { ask, counts } = openReads([a, b]);
    counts.set('b', { usageCount: 4, lastUsedAt: fixtureNow });
    const { items } = await ask('list');
    expect(items).toEqual([a, { ...b, usageCount: 4, lastUsedAt: fixtureNow }]);
    expect(b).not.toHaveProperty('usageCount');
  });

  it('[IN10] cuts the answer at its maximum size and says where to continue', async () => {
    const entries = Array.from({ length: 100 }, (_, i) =>
      createEntry({ id: `e${String(i).padStart(3, '0')}`, body: 'ä'.repeat(40_000) }),
    );
    const { ask } = openReads(entries);
    const seen: string[] = [];
    let offset: number | undefined = 0;
    let pages = 0;
    while (offset !== undefined) {
      const page = await ask('list', { offset });
      expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(instructionLimits.wholeAnswerBytes);
      expect([page['count'], page['truncated']]).toEqual([100, 'nextOffset' in page ? true : undefined]);
      seen.push(...idsOf(page));
      offset = page['nextOffset'] as number | undefined;
      pages += 1;
    }
    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual(entries.map(({ id }) => id));
  });

  it('starts after an id, whether or not that entry exists', async () => {
    const { ask } = openReads([a, b, c]);
    expect(await ask('list', { after: 'a', limit: 1 })).toMatchObject({ count: 3, items: [b] });
    expect(await ask('list', { after: 'aa' })).toMatchObject({ count: 3, items: [b, c] });
    expect(await ask('list', { after: 'a', offset: 1 })).toMatchObject({ items: [c] });
    expect(await ask('list', { after: 'a', category: 'git' })).toMatchObject({ count: 2, items: [b] });
    expect(await ask('list', { after: 'c' })).toMatchObject({ count: 3, items: [] });
    expect(await ask('list', { after: '' })).toMatchObject({ error: { code: -32602 } });
  });

  it('rejects unknown parameters', async () => {
    const { error } = await openReads([]).ask('list', { catgory: 'x' });
    expect([error?.code, error?.data['method']]).toEqual([-32602, 'instructions/list']);
  });

  it('[IN8] includes an expected entry whose file was added a moment ago', async () => {
    const { ask, catalog, traces } = openReads([a]);
    catalog.drop(b);
    expect(idsOf(await ask('list'))).toEqual(['a']);
    expect(idsOf(await ask('list', { expectId: 'b' }))).toEqual(['a', 'b']);
    expect(traces.at(-1)).toEqual([
      'list',
      {
        expectId: 'b',
        repairedVisibility: true,
        lateMaterialized: true,
        attemptedReload: false,
        attemptedLate: true,
        expectOnDisk: true,
        expectInCatalog: true,
      },
    ]);
  });

  it('reloads when looking up the entry is not enough', async () => {
    const { ask, catalog, traces } = openReads([a]);
    catalog.drop(b);
    catalog.isBlind = true;
    expect(idsOf(await ask('list', { expectId: 'b' }))).toEqual(['a', 'b']);
    expect(traces.at(-1)?.[1]).toMatchObject({
      repairedVisibility: true,
      attemptedReload: true,
      lateMaterialized: false,
    });
  });

  it('repairs nothing when the expected entry is listed, does not exist or is invalid', async () => {
    const { ask, catalog, traces, counters } = openReads([a]);
    await ask('list', { expectId: 'a' });
    expect(traces.at(-1)?.[1]).toMatchObject({
      attemptedLate: false,
      repairedVisibility: false,
      expectInCatalog: true,
    });
    await ask('list', { expectId: 'nowhere' });
    expect(traces.at(-1)?.[1]).toMatchObject({ ...notFoundFlags, expectOnDisk: false, expectInCatalog: false });
    catalog.dropBroken('broken');
    await ask('list', { expectId: 'broken' });
    expect(traces.at(-1)?.[1]).toMatchObject({
      ...notFoundFlags,
      attemptedReload: true,
      repairedVisibility: false,
      expectOnDisk: true,
      expectInCatalog: false,
      rejected: 'not JSON',
    });
    expect(counters).toEqual(['lateMaterializeRejected']);
  });

  it('reads no file for an id that is not valid', async () => {
    const { ask, catalog } = openReads([a]);
    await ask('list', { expectId: '../escape' });
    expect(catalog.calls.filter((what) => what.startsWith('lookUp'))).toEqual([]);
  });
});

describe('instructions/listScoped', () => {
  it('[IN12] lists the first scope that has entries and names it', async () => {
    const { ask } = openReads([a, b, c]);
    expect(await ask('listScoped', { userId: 'ann', workspaceId: 'shop' })).toMatchObject({
      scope: 'user',
      items: [b],
    });
    expect(await ask('listScoped', { workspaceId: 'shop' })).toMatchObject({ scope: 'workspace', items: [c] });
    expect(await ask('listScoped', { teamIds: ['x'] })).toEqual({
      scope: 'all',
      hash,
      count: 1,
      schemaVersion: '2',
      items: [a],
    });
  });
});

describe('instructions/export', () => {
  it('exports all entries or the given ids and lists the missing ones', async () => {
    const { ask } = openReads([a, b, c]);
    expect(await ask('export')).toMatchObject({ hash, count: 3, items: [a, b, c], generatedAt: fixtureNow });
    expect(await ask('export', { ids: ['c', 'gone', 'a', 'c'] })).toMatchObject({
      count: 2,
      items: [a, c],
      missing: ['gone'],
    });
  });

  it('omits the bodies for metaOnly', async () => {
    const { items } = await openReads([a]).ask('export', { metaOnly: true });
    const { body: _body, ...rest } = a;
    expect(items).toEqual([rest]);
  });
});

describe('instructions/diff', () => {
  const { ask } = openReads([a, b, c]);
  const known = (...entries: readonly { id: string; sourceHash: string }[]) =>
    entries.map(({ id, sourceHash }) => ({ id, sourceHash }));

  it('answers upToDate for a client with the same hash', async () => {
    expect(await ask('diff', { clientHash: hash })).toEqual({ upToDate: true, hash, schemaVersion: '2' });
    expect(await ask('diff', { clientHash: hash, known: known(a, b, c) })).toMatchObject({ upToDate: true });
  });

  it.each([{}, { clientHash: 'another' }])('returns everything to a client that sends only %j', async (input) => {
    const all = [a, b, c];
    expect(await ask('diff', input)).toEqual({
      hash,
      schemaVersion: '2',
      changed: all,
      added: all,
      updated: [],
      removed: [],
    });
  });

  it('returns exactly what a client lacks', async () => {
    const held = [...known(a), { id: 'b', sourceHash: 'old' }, { id: 'gone', sourceHash: 'x' }];
    expect(await ask('diff', { known: held })).toEqual({
      hash,
      schemaVersion: '2',
      added: [c],
      updated: [b],
      removed: ['gone'],
    });
    expect(await ask('diff', { known: known(a, b, c) })).toMatchObject({ added: [], updated: [], removed: [] });
  });

  it('continues a cut answer through new and changed entries', async () => {
    const big = Array.from({ length: 300 }, (_, i) => createEntry({ id: `e${i + 100}`, body: 'x'.repeat(49_000) }));
    const held = big.slice(0, 150).map(({ id }) => ({ id, sourceHash: 'old' }));
    const reads = openReads(big);
    const seen = { added: [] as string[], updated: [] as string[] };
    for (let offset: unknown = 0; offset !== undefined; ) {
      const page = await reads.ask('diff', { known: held, offset });
      for (const key of ['added', 'updated'] as const) seen[key].push(...idsOf({ items: page[key] as typeof big }));
      offset = page['nextOffset'];
    }
    expect(seen).toEqual({
      added: big.slice(150).map(({ id }) => id),
      updated: big.slice(0, 150).map(({ id }) => id),
    });
  });

  it('rejects too many known entries as RESOURCE_LIMIT', async () => {
    const many = Array.from({ length: instructionLimits.knownEntriesCount + 1 }, (_, i) => ({
      id: `e${i}`,
      sourceHash: '',
    }));
    expect((await ask('diff', { known: many })).error).toMatchObject({
      code: -32001,
      data: { name: 'RESOURCE_LIMIT' },
    });
  });
});
