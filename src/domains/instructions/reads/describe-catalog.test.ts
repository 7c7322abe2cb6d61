import { describe, expect, it } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { createEntry, fixtureNow } from '../catalog/memory-catalog.fixture.ts';
import { openReads } from './reads.fixture.ts';

const a = createEntry({ id: 'a', categories: ['git'], owner: 'ann' });
const b = createEntry({ id: 'b', categories: ['git', 'style'], nextReviewDue: '2025-01-01T00:00:00Z' });

describe('instructions/categories', () => {
  it('counts the entries of each category', async () => {
    const { ask } = openReads([a, b]);
    expect(await ask('categories')).toEqual({
      categories: [
        { name: 'git', count: 2, lastUpdated: fixtureNow },
        { name: 'style', count: 1, lastUpdated: fixtureNow },
      ],
      totalDistinct: 2,
      catalogHash: (await ask('list'))['hash'],
    });
  });
});

describe('instructions/dir', () => {
  it('lists file names, never paths, and the files that are not served', async () => {
    const { ask, catalog } = openReads([b, a]);
    catalog.dropBroken('broken');
    expect(await ask('dir')).toMatchObject({
      filesCount: 3,
      files: ['a.json', 'b.json', 'broken.json'],
      problems: [{ file: 'broken.json', problem: 'not JSON' }],
    });
    expect(await ask('dir', { limit: 1, offset: 1 })).toMatchObject({ filesCount: 3, files: ['b.json'] });
  });
});

describe('instructions/capabilities', () => {
  it('answers in the documented form', async () => {
    expect(await openReads([]).ask('capabilities')).toEqual({
      version: '1.2.3',
      protocolVersion: '2025-11-25',
      supportedActions: expect.arrayContaining(['list', 'get', 'batch', 'add', 'governanceHash', 'capabilities']),
      mutationEnabled: true,
      features: { advancedQuery: true, bulkOperations: true, governanceTracking: true, usageAnalytics: true },
      searchModes: ['keyword'],
      limits: { maxBatchSize: 100, maxQueryResults: 1_000, maxFileSize: expect.any(Number) },
    });
  });

  it('omits dispatch from its own actions and reports when changes are disabled', async () => {
    const shut = await openReads([], { permits: { mutation: true, readOnly: true } }).ask('capabilities');
    expect(shut).toMatchObject({ mutationEnabled: false });
    expect(shut['supportedActions']).not.toContain('dispatch');
  });
});

describe('instructions/health', () => {
  it('answers in the documented form', async () => {
    const { ask } = openReads([a, b]);
    await ask('get', { id: 5 });
    const { hash } = await ask('list');
    expect(await ask('health')).toEqual({
      status: 'healthy',
      version: '1.2.3',
      uptime: expect.any(Number),
      catalogStats: { totalInstructions: 2, totalCategories: 2, lastModified: fixtureNow, integrityHash: hash },
      performance: { avgResponseTime: expect.any(Number), requestCount: 2, errorRate: 0.5 },
      diskUsage: { totalSize: expect.any(Number), availableSpace: 0 },
      drift: { snapshot: 'missing', count: 0, details: [] },
      overdueReviews: 1,
      reasons: [],
    });
  });

  it('reports drift from the snapshot', async () => {
    const details = [
      { id: 'a', change: 'hash-mismatch' },
      { id: 'gone', change: 'removed' },
    ] as const;
    const compareWithManifest = async () => ({ manifest: 'present', drift: 2, details }) as const;
    expect(await openReads([a, b], { compareWithManifest }).ask('health')).toMatchObject({
      status: 'degraded',
      drift: { snapshot: 'present', count: 2, details },
    });
  });

  it('is degraded by invalid files and by an unreadable snapshot', async () => {
    const { ask, catalog } = openReads([a], {
      compareWithManifest: async () => ({ manifest: 'invalid', drift: 0, details: [] }),
    });
    catalog.dropBroken('broken');
    expect(await ask('health')).toMatchObject({
      status: 'degraded',
      reasons: [/1 file/, /snapshot/].map((r) => expect.stringMatching(r)),
    });
  });

  it('answers even when the catalog cannot be read', async () => {
    const { ask, catalog } = openReads([a]);
    catalog.failure = faults.STORE_UNAVAILABLE({ why: 'the disk is gone' });
    expect(await ask('health')).toMatchObject({
      status: 'unhealthy',
      reasons: [expect.stringContaining('STORE_UNAVAILABLE')],
    });
  });

  it('answers even when the disk cannot be measured', async () => {
    const diskUsage = () => Promise.reject(new Error('no such folder'));
    expect(await openReads([a], { diskUsage }).ask('health')).toMatchObject({
      status: 'healthy',
      diskUsage: { availableSpace: 0 },
    });
  });

  it('reports the disk space when it can be measured', async () => {
    const diskUsage = async () => ({ totalSize: 7, availableSpace: 9 });
    expect(await openReads([], { diskUsage }).ask('health')).toMatchObject({
      catalogStats: { lastModified: null },
      diskUsage: { totalSize: 7, availableSpace: 9 },
    });
  });
});

describe('instructions/inspect', () => {
  const parts = ['raw', 'normalized', 'validation', 'metadata', 'filesystem'];

  it.each([
    [{}, 'catalog'],
    [{ scope: 'catalog' }, 'catalog'],
    [{ id: 'a' }, 'instruction'],
    [{ id: 'a', scope: 'instruction' }, 'instruction'],
    [{ scope: 'governance' }, 'governance'],
    [{ id: 'a', scope: 'governance' }, 'governance'],
    [{ scope: 'usage' }, 'usage'],
    [{ id: 'a', scope: 'usage' }, 'usage'],
  ])('%j returns all parts of scope %s', async (input, scope) => {
    const answer = await openReads([a, b]).ask('inspect', input);
    expect(answer).toMatchObject({ timestamp: fixtureNow, scope });
    expect(Object.keys(answer['data'] as object)).toEqual(parts);
  });

  it('validates an entry and returns its state', async () => {
    const { ask, counts } = openReads([a]);
    counts.set('a', { usageCount: 3, lastUsedAt: fixtureNow });
    expect(await ask('inspect', { id: 'a' })).toMatchObject({
      data: {
        raw: a,
        normalized: { usageCount: 3 },
        validation: { valid: true, issues: [], isCanonical: true },
        filesystem: { exists: true, file: 'a.json' },
      },
    });
  });

  it('reports why a file is not served', async () => {
    const { ask, catalog } = openReads([]);
    catalog.dropBroken('broken');
    expect(await ask('inspect', { id: 'broken' })).toMatchObject({
      notFound: true,
      data: { filesystem: { exists: true, file: 'broken.json', problem: 'not JSON' } },
    });
  });

  it('lists overdue and unowned entries', async () => {
    expect(await openReads([a, b]).ask('inspect', { scope: 'governance' })).toMatchObject({
      data: { validation: { overdue: ['b'], unownedCount: 1 }, normalized: { owners: { ann: 1, unowned: 1 } } },
    });
  });

  it('rejects scope instruction without an id', async () => {
    expect((await openReads([]).ask('inspect', { scope: 'instruction' })).error?.code).toBe(-32602);
  });
});

describe('instructions/governanceHash', () => {
  const project = (entry: typeof a) => ({
    id: entry.id,
    title: entry.title,
    version: entry.version,
    owner: entry.owner,
    priorityTier: entry.priorityTier,
    nextReviewDue: entry.nextReviewDue,
    semanticSummarySha256: sha256Hex(entry.semanticSummary),
    changeLogLength: entry.changeLog.length,
  });
  const lines = [a, b].map((entry) => JSON.stringify(project(entry))).join('\n');

  it('follows the six documented steps', async () => {
    const answer = await openReads([b, a]).ask('governanceHash');
    expect(answer).toMatchObject({ count: 2, governanceHash: sha256Hex(lines), algorithm: 'sha256' });
    expect(answer.items).toEqual(
      [a, b].map((entry) => {
        const governance = project(entry);
        return { ...governance, governance, hash: sha256Hex(JSON.stringify(governance)) };
      }),
    );
  });

  it('optionally ends with a newline for older clients', async () => {
    const answer = await openReads([a, b], { govTrailingNewline: true }).ask('governanceHash', { includeItems: false });
    expect(answer).toEqual({ count: 2, governanceHash: sha256Hex(`${lines}\n`), algorithm: 'sha256' });
  });

  it('ignores a body that is edited on disk and changes with the owner', async () => {
    const hashOf = async (...entries: (typeof a)[]) =>
      (await openReads(entries).ask('governanceHash'))['governanceHash'];
    const before = await hashOf(a);
    expect(await hashOf({ ...a, body: 'edited', sourceHash: sha256Hex('edited') })).toBe(before);
    expect(await hashOf({ ...a, owner: 'bob' })).not.toBe(before);
  });
});
