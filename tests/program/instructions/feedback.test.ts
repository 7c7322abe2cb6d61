import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogProgram, callForms, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { isoTime } from './entries.fixture.ts';

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly severity: string;
  readonly status: string;
  readonly title: string;
}

const report = {
  type: 'bug-report',
  severity: 'medium',
  title: 'Search function not working',
  description: 'The search tool returns empty results even with valid queries',
  context: { clientInfo: { name: 'VS Code', version: '1.85.0' }, toolName: 'instructions/search', extra: { any: 1 } },
  tags: ['search', 'ui'],
};

describe.each(callForms)('feedback, by %s', (form) => {
  let program: CatalogProgram;
  const ask = <T = Readonly<Record<string, unknown>>>(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<T> => program.value<T>(form, `feedback/${name}`, args);
  const submit = (more: object = {}): Promise<{ feedbackId: string }> => ask('submit', { ...report, ...more });

  beforeEach(async () => {
    program = await openCatalog(mutationOn);
  });
  afterEach(() => program.close());

  it('submit returns an id, the status and the time', async () => {
    expect(await submit()).toEqual({
      feedbackId: expect.any(String),
      status: 'submitted',
      timestamp: expect.stringMatching(isoTime),
    });
  });

  it('get returns the entry as it was sent, or notFound', async () => {
    const { feedbackId } = await submit();
    expect(await ask('get', { id: feedbackId })).toMatchObject({ entry: { id: feedbackId, status: 'new', ...report } });
    expect(await ask('get', { id: 'unknown' })).toEqual({ notFound: true, id: 'unknown' });
  });

  it('accepts every documented type', async () => {
    const types = [
      ...['issue', 'status', 'bug-report', 'feature-request', 'security', 'documentation', 'performance'],
      ...['usability', 'other'],
    ];
    for (const type of types) await submit({ type, title: `A ${type}` });
    expect(await ask('list')).toMatchObject({ total: types.length });
  });

  it('list filters, pages and returns the newest first', async () => {
    const first = await submit({ title: 'First one', tags: ['a'] });
    const second = await submit({ title: 'Second one', type: 'issue', severity: 'high', tags: ['b'] });
    const list = await ask<{ entries: Entry[] }>('list');
    expect(list).toMatchObject({ total: 2, limit: 50, offset: 0, hasMore: false });
    expect(list.entries.map(({ id }) => id)).toEqual([second.feedbackId, first.feedbackId]);
    expect(await ask('list', { limit: 1 })).toMatchObject({ total: 2, limit: 1, hasMore: true });
    const filters = [{ type: 'issue' }, { severity: 'high' }, { tags: ['b'] }];
    for (const filter of filters) {
      const { entries } = await ask<{ entries: Entry[] }>('list', filter);
      expect(entries.map(({ id }) => id)).toEqual([second.feedbackId]);
    }
    expect(await ask('list', { since: '2100-01-01T00:00:00Z' })).toMatchObject({ total: 0, entries: [] });
    expect(await ask('list', { until: '2000-01-01T00:00:00Z' })).toMatchObject({ total: 0 });
    expect(await ask('list', { status: 'new' })).toMatchObject({ total: 2 });
  });

  it('update changes the status and keeps the notes', async () => {
    const { feedbackId } = await submit();
    for (const status of ['acknowledged', 'in-progress', 'resolved', 'closed', 'new']) {
      const updated = await ask('update', { id: feedbackId, status, adminNotes: `now ${status}` });
      expect(updated).toMatchObject({ entry: { id: feedbackId, status, adminNotes: `now ${status}` } });
    }
    expect(await ask('update', { id: 'unknown', status: 'closed' })).toEqual({ notFound: true, id: 'unknown' });
  });

  it('stats counts by type, severity and status, with the latest entries', async () => {
    await submit();
    await submit({ type: 'security', severity: 'critical' });
    const stats = await ask<{ recentActivity: Entry[] }>('stats');
    expect(stats).toMatchObject({
      stats: {
        total: 2,
        byType: { 'bug-report': 1, security: 1 },
        bySeverity: { medium: 1, critical: 1 },
        byStatus: { new: 2 },
      },
    });
    expect(stats.recentActivity).toHaveLength(2);
    expect(await ask('stats', { since: '2100-01-01T00:00:00Z' })).toMatchObject({ stats: { total: 0 } });
  });

  it('health returns state, storage and configuration', async () => {
    await submit();
    expect(await ask('health')).toMatchObject({
      status: 'operational',
      storageInfo: {
        totalEntries: 1,
        lastUpdated: expect.stringMatching(isoTime),
        diskUsage: expect.any(String),
      },
      config: { maxEntries: 1000, feedbackDir: expect.any(String) },
    });
  });
});

describe.each(callForms)('feedback that is rejected, by %s', (form) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openCatalog(mutationOn);
  });
  afterAll(() => program?.close());

  it.each([
    { title: 'ab' },
    { title: 'x'.repeat(201) },
    { description: 'too short' },
    { description: 'x'.repeat(5_001) },
    { severity: 'huge' },
    { tags: Array.from({ length: 11 }, (_, i) => `t${i}`) },
  ])('submit rejects %j', async (more) => {
    const error = await program.error(form, 'feedback/submit', { ...report, ...more });
    expect(error).toMatchObject({ code: -32602, data: { method: 'feedback/submit' } });
  });
});

describe('feedback and the log', () => {
  it('logs security and critical entries', async () => {
    const program = await openCatalog({ FOURFOLD_LOG_LEVEL: 'warn' });
    const { feedbackId } = await program.value<{ feedbackId: string }>('plain method', 'feedback/submit', {
      ...report,
      type: 'security',
      severity: 'critical',
    });
    await expect.poll(() => program.said(), { timeout: 120_000, interval: 50 }).toContain(feedbackId);
    await program.close();
  });

  it('rotation keeps the newest entries', async () => {
    const program = await openCatalog({ FEEDBACK_MAX_ENTRIES: '3' });
    for (let i = 1; i <= 5; i += 1) {
      await program.value('plain method', 'feedback/submit', { ...report, title: `Report ${i}` });
    }
    const { entries } = await program.value<{ entries: Entry[] }>('plain method', 'feedback/list');
    expect(entries.map(({ title }) => title)).toEqual(['Report 5', 'Report 4', 'Report 3']);
    await program.close();
  });
});
