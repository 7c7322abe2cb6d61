import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionForms, type CatalogProgram } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { catalogHashOf, type Entry, entryFiles, entryIds, hexHash, isoTime, sha256 } from './entries.fixture.ts';

interface Listed {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly Entry[];
}

const everyWay = engines.flatMap((engine) => actionForms.map((form) => ({ engine, form })));

describe.each(everyWay)('catalog reads, with $engine, by $form', ({ engine, form }) => {
  let program: CatalogProgram;
  const ask = <T>(action: string, args: Readonly<Record<string, unknown>> = {}): Promise<T> =>
    program.value<T>(form, `instructions/${action}`, args);

  beforeAll(async () => {
    program = await openOn(engine, {}, entryFiles);
  });
  afterAll(() => program.close());

  it('list returns hash, count and complete entries by id', async () => {
    const { hash, count, items } = await ask<Listed>('list');
    expect(count).toBe(3);
    expect(items.map(({ id }) => id)).toEqual(entryIds);
    expect(hash).toBe(catalogHashOf(items));
    expect(items[0]).toMatchObject({
      id: 'alpha',
      title: 'Alpha rule',
      priority: 10,
      requirement: 'mandatory',
      audience: 'all',
      categories: ['ai_code_nav', 'security'],
      version: '1.0.0',
      status: 'approved',
      owner: 'platform',
      classification: 'internal',
      priorityTier: 'P1',
      reviewIntervalDays: 30,
      riskScore: 90 + 50,
      semanticSummary: 'Always rotate the deployment keys.',
      schemaVersion: expect.any(String),
      createdAt: expect.stringMatching(isoTime),
      updatedAt: expect.stringMatching(isoTime),
      nextReviewDue: expect.stringMatching(isoTime),
      sourceHash: sha256('Always rotate the deployment keys.\n\nSecond paragraph.'),
      governanceHash: expect.stringMatching(hexHash),
    });
    expect(items[0]?.changeLog).toHaveLength(1);
  });

  it('list filters by category ignoring case and pages; count is the number of matches', async () => {
    expect((await ask<Listed>('list', { category: 'GIT' })).items.map(({ id }) => id)).toEqual(['beta', 'gamma']);
    const page = await ask<Listed>('list', { limit: 1, offset: 1 });
    expect(page.items.map(({ id }) => id)).toEqual(['beta']);
    expect(page.count).toBe(3);
    expect(await ask<Listed>('list', { category: 'unknown' })).toMatchObject({ count: 0, items: [] });
    expect((await ask<Listed>('list', { offset: 99 })).items).toEqual([]);
  });

  it('get returns the entry with the hash, or notFound with the hash', async () => {
    const { hash, items } = await ask<Listed>('list');
    expect(await ask('get', { id: 'beta' })).toEqual({ hash, item: items[1] });
    expect(await ask('get', { id: 'unknown' })).toEqual({ notFound: true, id: 'unknown', hash });
    const enhanced = await ask<{ item: Entry }>('getEnhanced', { id: 'beta' });
    expect(enhanced.item).toEqual(items[1]);
    expect(await ask('getEnhanced', { id: 'unknown' })).toMatchObject({ notFound: true, id: 'unknown' });
  });

  it('search ranks, counts, echoes the query and highlights', async () => {
    const found = await ask<Listed & { query: string; highlights: { id: string; field: string; snippet: string }[] }>(
      'search',
      { q: 'rotate keys', highlight: true },
    );
    expect(found).toMatchObject({ hash: expect.stringMatching(hexHash), query: 'rotate keys' });
    expect(found.items[0]?.id).toBe('alpha');
    expect(found.count).toBeGreaterThanOrEqual(1);
    const highlight = found.highlights.find(({ id, field }) => id === 'alpha' && field === 'body');
    expect(highlight?.snippet).toContain('rotate');
    expect(highlight).toHaveProperty('ranges');
    expect(await ask<object>('search', { q: 'rotate' })).not.toHaveProperty('highlights');
  });

  it('search also finds text inside words, respects the limit, and counts all matches', async () => {
    expect((await ask<Listed>('search', { q: 'breakablew' })).items.map(({ id }) => id)).toEqual(['gamma']);
    const some = await ask<Listed>('search', { q: 'rule', limit: 1 });
    expect(some.items).toHaveLength(1);
    expect(some.count).toBe(3);
  });

  it('regex search finds matches and cannot hang', async () => {
    const found = await ask<Listed>('search', { q: 'gamma[a-z]oo', mode: 'regex' });
    expect(found.items.map(({ id }) => id)).toEqual(['gamma']);
  });

  it('an exponential regex ends its search, and the next search works', async () => {
    const bomb = { id: 'bomb', title: 'Bomb', body: `${'a'.repeat(40)}!` };
    const bombed = await openOn(engine, {}, { ...entryFiles, 'bomb.json': bomb });
    const refused = await bombed.error(form, 'instructions/search', { q: '(a+)+$', mode: 'regex' });
    expect([-32602, -32002, -32001]).toContain(refused.code);
    const found = await bombed.value<Listed>(form, 'instructions/search', { q: 'gamma[a-z]oo', mode: 'regex' });
    expect(found.items.map(({ id }) => id)).toEqual(['gamma']);
    await bombed.close();
  });

  it('search without a hit gives hints', async () => {
    const none = await ask<Listed & { hints: string[] }>('search', { q: 'zzzxqj' });
    expect(none).toMatchObject({ count: 0, items: [] });
    expect(none.hints.length).toBeGreaterThan(0);
  });

  it('query accepts nested filters, sorts and pages by cursor', async () => {
    const first = await ask<{
      items: Entry[];
      total: number;
      returned: number;
      nextCursor?: string;
      appliedFilters: object;
      performanceMs: number;
    }>('query', {
      filters: { status: ['approved'], classification: ['internal'] },
      sort: { field: 'priority', direction: 'desc' },
      limit: 2,
    });
    expect(first.items.map(({ id }) => id)).toEqual(['gamma', 'beta']);
    expect(first).toMatchObject({ total: 3, returned: 2, nextCursor: expect.any(String) });
    expect(first.appliedFilters).toMatchObject({ status: ['approved'], classification: ['internal'] });
    expect(first.performanceMs).toBeGreaterThanOrEqual(0);
    const second = await ask<{ items: Entry[]; nextCursor?: string }>('query', {
      filters: { status: ['approved'], classification: ['internal'] },
      sort: { field: 'priority', direction: 'desc' },
      limit: 2,
      cursor: first.nextCursor,
    });
    expect(second.items.map(({ id }) => id)).toEqual(['alpha']);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it.each([
    [{ categories: ['git'] }, ['beta', 'gamma']],
    [{ priorityTiers: ['P1'] }, ['alpha']],
    [{ owners: ['platform'] }, ['alpha']],
    [{ workspaceId: 'w1' }, ['gamma']],
    [{ userId: 'ada' }, ['beta']],
    [{ teamIds: ['t1'] }, ['gamma']],
    [{ createdAfter: '2100-01-01T00:00:00Z' }, []],
    [{ updatedAfter: '2000-01-01T00:00:00Z' }, ['alpha', 'beta', 'gamma']],
    [{ text: 'ticket' }, ['beta']],
  ])('query filters by %j', async (filters, ids) => {
    const { items, total } = await ask<{ items: Entry[]; total: number }>('query', { filters });
    expect(items.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(total).toBe(ids.length);
  });

  it.each([
    [{ categoriesAll: ['git', 'naming'] }, ['gamma']],
    [{ categoriesAny: ['naming', 'security'] }, ['alpha', 'gamma']],
    [{ excludeCategories: ['git'] }, ['alpha']],
    [{ priorityMin: 20, priorityMax: 60 }, ['beta']],
    [{ priorityTiers: ['P1', 'P4'] }, ['alpha', 'gamma']],
    [{ requirements: ['mandatory'] }, ['alpha']],
    [{ text: 'gammafoo' }, ['gamma']],
  ])('query also accepts the flat parameters %j', async (flat, ids) => {
    const { items } = await ask<{ items: Entry[] }>('query', { ...flat, limit: 10, offset: 0 });
    expect(items.map(({ id }) => id).toSorted()).toEqual(ids);
  });

  it('query rejects an unknown filter', async () => {
    expect((await program.error(form, 'instructions/query', { filters: { color: ['red'] } })).code).toBe(-32602);
  });

  it('categories returns names, counts and the newest change', async () => {
    const answer = await ask<{ categories: object[]; totalDistinct: number; catalogHash: string }>('categories');
    expect(answer.totalDistinct).toBe(4);
    expect(answer.catalogHash).toBe((await ask<Listed>('list')).hash);
    expect(answer.categories).toContainEqual({ name: 'git', count: 2, lastUpdated: expect.stringMatching(isoTime) });
  });

  it('diff returns new, changed and removed entries', async () => {
    const { hash, items } = await ask<Listed>('list');
    expect(await ask('diff', { clientHash: hash })).toEqual({ upToDate: true, hash, schemaVersion: '2' });
    const known = [
      { id: 'alpha', sourceHash: items[0]?.sourceHash },
      { id: 'beta', sourceHash: sha256('older') },
      { id: 'delta', sourceHash: sha256('gone') },
    ];
    const changes = await ask<{ hash: string; added: Entry[]; updated: Entry[]; removed: string[] }>('diff', { known });
    expect(changes.hash).toBe(hash);
    expect(changes.added.map(({ id }) => id)).toEqual(['gamma']);
    expect(changes.updated.map(({ id }) => id)).toEqual(['beta']);
    expect(changes.removed).toEqual(['delta']);
    const all = await ask<{ changed: Entry[]; added: Entry[] }>('diff', { clientHash: sha256('another') });
    expect(all).toMatchObject({ hash, updated: [], removed: [] });
    expect(all.changed.map(({ id }) => id)).toEqual(entryIds);
    expect(all.added.map(({ id }) => id)).toEqual(entryIds);
  });

  it('listScoped prefers user over workspace over team over all', async () => {
    const ids = async (args: object) => {
      const answer = await ask<{ scope: unknown; items: Entry[] }>('listScoped', { ...args });
      return { scope: JSON.stringify(answer.scope), ids: answer.items.map(({ id }) => id) };
    };
    const user = await ids({ userId: 'ada', workspaceId: 'w1' });
    expect(user.ids).toEqual(['beta']);
    expect(user.scope).toContain('user');
    expect((await ids({ userId: 'unknown', workspaceId: 'w1' })).ids).toEqual(['gamma']);
    expect((await ids({ teamIds: ['t1'] })).ids).toEqual(['gamma']);
    const all = await ids({});
    expect(all.scope).toContain('all');
    expect(all.ids).toContain('alpha');
  });

  it('export returns everything, some entries, or all without bodies', async () => {
    const whole = await ask<Listed>('export');
    expect(whole.items.map(({ id }) => id)).toEqual(entryIds);
    expect((await ask<Listed>('export', { ids: ['beta'] })).items.map(({ id }) => id)).toEqual(['beta']);
    const meta = await ask<Listed>('export', { metaOnly: true });
    expect(meta.items.every((item) => item.body === undefined)).toBe(true);
  });

  it('dir lists files without absolute paths', async () => {
    const text = JSON.stringify(await ask('dir'));
    for (const id of entryIds) expect(text).toContain(`${id}.json`);
    expect(text).not.toContain(program.entries);
  });

  it('capabilities answers in the documented form', async () => {
    const answer = await ask<{ supportedActions: string[]; limits: object }>('capabilities');
    expect(answer).toMatchObject({
      version: expect.any(String),
      protocolVersion: expect.any(String),
      mutationEnabled: false,
      features: {
        advancedQuery: true,
        bulkOperations: true,
        governanceTracking: true,
        usageAnalytics: true,
      },
      limits: {
        maxBatchSize: expect.any(Number),
        maxQueryResults: expect.any(Number),
        maxFileSize: expect.any(Number),
      },
    });
    const documented = [
      ...['list', 'listScoped', 'get', 'getEnhanced', 'search', 'query', 'categories', 'dir', 'diff', 'export'],
      ...['capabilities', 'health', 'inspect', 'governanceHash', 'batch', 'add', 'import', 'remove', 'restore'],
      ...['reload', 'groom', 'repair', 'enrich', 'governanceUpdate'],
    ];
    expect(answer.supportedActions).toEqual(expect.arrayContaining(documented));
  });

  it('health returns status, statistics, performance and disk', async () => {
    expect(await ask('health')).toMatchObject({
      status: expect.stringMatching(/^(?:healthy|degraded|unhealthy)$/),
      version: expect.any(String),
      uptime: expect.any(Number),
      catalogStats: {
        totalInstructions: 3,
        totalCategories: 4,
        lastModified: expect.stringMatching(isoTime),
        integrityHash: (await ask<Listed>('list')).hash,
      },
      performance: {
        avgResponseTime: expect.any(Number),
        requestCount: expect.any(Number),
        errorRate: expect.any(Number),
      },
      diskUsage: { totalSize: expect.any(Number), availableSpace: expect.any(Number) },
    });
  });

  it.each([{ scope: 'catalog' }, { scope: 'instruction', id: 'alpha' }, { scope: 'governance' }, { scope: 'usage' }])(
    'inspect answers %j',
    async (args) => {
      expect(await ask('inspect', args)).toMatchObject({
        timestamp: expect.stringMatching(isoTime),
        scope: args.scope,
        data: expect.any(Object),
      });
    },
  );

  it('applicable returns the applicable rules with a reason each', async () => {
    const answer = await ask<object>('applicable', { task: 'review' });
    expect(answer).toHaveProperty('items');
  });

  it('accepts every spelling of a tool name', async () => {
    if (form !== 'tools/call') return;
    const spelt = ['instructions/getEnhanced', 'instructions_getEnhanced', 'instructions_get_enhanced'];
    for (const name of spelt) expect(await program.value(form, name, { id: 'beta' }), name).toHaveProperty('item');
  });
});
