import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogProgram, callForms, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, hexHash, isoTime } from './entries.fixture.ts';

describe.each(callForms)('usage, by %s', (form) => {
  let program: CatalogProgram;
  beforeEach(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterEach(() => program.close());
  const track = <T = Readonly<Record<string, unknown>>>(args: Readonly<Record<string, unknown>>): Promise<T> =>
    program.value<T>(form, 'usage/track', args);

  it('counts by id and keeps the first time', async () => {
    const first = await track<{ firstSeenTs: string }>({ id: 'alpha' });
    expect(first).toEqual({
      id: 'alpha',
      usageCount: 1,
      firstSeenTs: expect.stringMatching(isoTime),
      lastUsedAt: expect.stringMatching(isoTime),
    });
    const second = await track({ id: 'alpha', action: 'applied', signal: 'helpful', comment: 'It helped.' });
    expect(second).toMatchObject({ id: 'alpha', usageCount: 2, firstSeenTs: first.firstSeenTs });
  });

  it('accepts the form with instructionId and answers in its shape', async () => {
    const args = {
      instructionId: 'beta',
      context: { userId: 'u', workspaceId: 'w', sessionId: 's-1', timestamp: '2026-01-01T00:00:00.000Z' },
      metrics: { executionTime: 12, success: true },
    };
    expect(await track(args)).toMatchObject({ tracked: true, sessionId: 's-1', aggregatedCount: 1 });
    expect(await track({ ...args, metrics: { success: false, errorCode: 'E' } })).toMatchObject({ aggregatedCount: 2 });
  });

  it('accepts several events', async () => {
    const { results } = await track<{ results: object[] }>({
      events: [{ id: 'alpha' }, { id: 'unknown' }, { id: 'gamma', action: 'cited' }],
    });
    expect(results).toMatchObject([{ id: 'alpha', usageCount: 1 }, { notFound: true }, { id: 'gamma', usageCount: 1 }]);
  });

  it('answers notFound for an unknown id and does not count it', async () => {
    expect(await track({ id: 'unknown' })).toMatchObject({ notFound: true });
    expect(await program.value(form, 'usage/hotset')).toMatchObject({ count: 0, items: [] });
  });

  it('counts ten per second and answers rateLimited for more', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => track({ id: 'alpha' })));
    expect(answers.some((answer) => answer['rateLimited'] === true)).toBe(true);
    expect(answers.filter((answer) => answer['rateLimited'] !== true).length).toBeGreaterThanOrEqual(10);
  });

  it('hotset ranks by count, then by last use, and respects the limit', async () => {
    for (const id of ['beta', 'alpha', 'alpha', 'gamma']) await track({ id });
    const hot = await program.value<{ items: { id: string }[] }>(form, 'usage/hotset', { limit: 2 });
    expect(hot).toMatchObject({ hash: expect.stringMatching(hexHash), count: 2, limit: 2 });
    expect(hot.items[0]).toEqual({ id: 'alpha', usageCount: 2, lastUsedAt: expect.stringMatching(isoTime) });
    expect(hot.items[1]?.id).toBe('gamma');
    expect(await program.value(form, 'usage/hotset')).toMatchObject({ limit: 10, count: 3 });
  });

  it('the entry shows its count, and flush answers', async () => {
    await track({ id: 'alpha' });
    expect(await program.value(form, 'instructions/get', { id: 'alpha' })).toMatchObject({ item: { usageCount: 1 } });
    expect(await program.value(form, 'usage/flush')).toEqual({ flushed: true });
  });

  it('counts in the feature counters', async () => {
    await track({ id: 'alpha' });
    const status = await program.value<{ features: string[]; counters: Readonly<Record<string, number>> }>(
      form,
      'feature/status',
    );
    expect(status.features).toContain('usage');
    expect(status.counters['propertyUpdate:usage']).toBeGreaterThan(0);
    expect(await program.value(form, 'metrics/snapshot')).toMatchObject({
      methods: expect.arrayContaining([expect.objectContaining({ method: 'usage/track' })]),
      features: { counters: expect.any(Object) },
    });
  });
});

describe('usage switched off', () => {
  it.each(callForms)('answers featureDisabled and counts the attempt, by %s', async (form) => {
    const program = await openCatalog({ INDEX_FEATURES: 'other' }, entryFiles);
    expect(await program.value(form, 'usage/track', { id: 'alpha' })).toMatchObject({ featureDisabled: true });
    const { counters } = await program.value<{ counters: Readonly<Record<string, number>> }>(form, 'feature/status');
    expect(counters['usage:gated']).toBeGreaterThan(0);
    await program.close();
  });

  it('the rate limit can be switched off', async () => {
    const env = { MCP_DISABLE_USAGE_RATE_LIMIT: '1', MCP_DISABLE_USAGE_CLAMP: '1' };
    const program = await openCatalog(env, entryFiles);
    for (let i = 0; i < 30; i += 1) await program.value('plain method', 'usage/track', { id: 'alpha' });
    expect(await program.value('plain method', 'usage/hotset')).toMatchObject({ items: [{ usageCount: 30 }] });
    await program.close();
  });
});
