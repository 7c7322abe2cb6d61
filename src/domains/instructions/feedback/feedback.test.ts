import { expect, test } from 'vitest';
import { sql } from '#kernel/storage/sql.ts';
import { newestTrash } from '#kernel/storage/trash.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { describeOnEngines } from '../usage/engines.fixture.ts';
import { openQuality } from '../usage/quality.fixture.ts';
import { feedbackTypes, formatBytes } from './feedback-entry.ts';

const report = {
  type: 'bug-report',
  severity: 'medium',
  title: 'Search finds nothing',
  description: 'The search tool returns no results, even for words that are there.',
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const titles = (answer: Record<string, unknown>) => (answer['entries'] as { title: string }[]).map((one) => one.title);

describeOnEngines('feedback', (engine) => {
  /** One entry per millisecond, so that the order is defined. */
  async function submitAll(
    { ask, clock }: ReturnType<typeof engine.open>,
    parts: readonly Record<string, unknown>[],
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const part of parts) {
      clock.advance(1);
      ids.push(String((await ask('feedback/submit', { ...report, ...part }))['feedbackId']));
    }
    return ids;
  }

  test('[IN41] returns exactly what was submitted', async () => {
    const { ask, clock } = engine.open();
    const context = {
      clientInfo: { name: 'VS Code', version: '1.85.0', extra: [1, { z: 1, a: 2 }] },
      environment: { os: 'any', nested: { deep: true } },
      toolName: 'instructions/search',
      anything: 'else',
    };
    const description = '  | a table |\r\n\ttabs, \u2028 and 𝒳  ';
    const timestamp = new Date(clock.now()).toISOString();
    const submitted = await ask('feedback/submit', { ...report, description, context, tags: ['ui', 'ui', 'Search'] });
    expect(submitted).toEqual({ feedbackId: expect.stringMatching(uuid), status: 'submitted', timestamp });
    const id = submitted['feedbackId'];
    expect(await ask('feedback/get', { id })).toEqual({
      entry: { id, timestamp, ...report, description, context, tags: ['ui', 'ui', 'Search'], status: 'new' },
    });
  });

  test('returns no context and tags when none were given', async () => {
    const quality = engine.open();
    const [id] = await submitAll(quality, [{}]);
    const { entry } = await quality.ask('feedback/get', { id });
    expect(Object.keys(entry as object)).toEqual([
      'id',
      'timestamp',
      'type',
      'severity',
      'status',
      'title',
      'description',
    ]);
  });

  test('answers notFound for an unknown id', async () => {
    const { ask } = engine.open();
    expect(await ask('feedback/get', { id: 'unknown' })).toEqual({ notFound: true, id: 'unknown' });
    expect(await ask('feedback/update', { id: 'unknown', status: 'closed' })).toEqual({
      notFound: true,
      id: 'unknown',
    });
  });

  test('lists newest first, filters before it cuts the page, and returns the total', async () => {
    const quality = engine.open();
    await submitAll(quality, [
      { title: 'one', type: 'issue', severity: 'low', tags: ['a'] },
      { title: 'two', type: 'security', severity: 'high', tags: ['a', 'b'] },
      { title: 'three', type: 'issue', severity: 'high', tags: ['c'] },
      { title: 'four', type: 'issue', severity: 'low' },
    ]);
    const { ask } = quality;
    const all = await ask('feedback/list');
    expect(titles(all)).toEqual(['four', 'three', 'two', 'one']);
    expect(all).toMatchObject({ total: 4, limit: 50, offset: 0, hasMore: false });
    const page = await ask('feedback/list', { type: 'issue', limit: 1, offset: 1 });
    expect(titles(page)).toEqual(['three']);
    expect(page).toMatchObject({ total: 3, limit: 1, offset: 1, hasMore: true });
    expect(titles(await ask('feedback/list', { severity: 'high' }))).toEqual(['three', 'two']);
    expect(titles(await ask('feedback/list', { tags: ['a', 'c'] }))).toEqual(['three', 'two', 'one']);
    expect(titles(await ask('feedback/list', { tags: ['a'], type: 'security', severity: 'high' }))).toEqual(['two']);
    expect(await ask('feedback/list', { type: 'unheard-of' })).toMatchObject({ entries: [], total: 0, hasMore: false });
    expect(await ask('feedback/list', { offset: 4 })).toMatchObject({ entries: [], total: 4, hasMore: false });
    expect(titles(await ask('feedback/list', { tags: [] }))).toHaveLength(4);
  });

  test('includes the limits of since and until, in any offset, and treats a date as its beginning', async () => {
    const quality = engine.open();
    const { ask, clock } = quality;
    const stamps: string[] = [];
    for (const title of ['one', 'two', 'three']) {
      await submitAll(quality, [{ title }]);
      stamps.push(new Date(clock.now()).toISOString());
    }
    expect(titles(await ask('feedback/list', { since: stamps[1] }))).toEqual(['three', 'two']);
    expect(titles(await ask('feedback/list', { until: stamps[1] }))).toEqual(['two', 'one']);
    expect(titles(await ask('feedback/list', { since: stamps[1], until: stamps[1] }))).toEqual(['two']);
    const shifted = new Date(Date.parse(stamps[1]!) + 7_200_000).toISOString().replace('Z', '+02:00');
    expect(titles(await ask('feedback/list', { since: shifted }))).toEqual(['three', 'two']);
    expect(titles(await ask('feedback/list', { since: stamps[0]!.slice(0, 10) }))).toHaveLength(3);
    expect(await ask('feedback/stats', { since: stamps[2] })).toMatchObject({ stats: { total: 1 } });
  });

  test('updates the status, keeps notes that are not given, and filters by the new status', async () => {
    const quality = engine.open();
    const { ask, clock } = quality;
    const [id] = await submitAll(quality, [{}]);
    clock.advance(5);
    const updatedAt = new Date(clock.now()).toISOString();
    const first = await ask('feedback/update', { id, status: 'acknowledged', adminNotes: 'seen' });
    expect(first).toMatchObject({ entry: { id, status: 'acknowledged', adminNotes: 'seen', updatedAt } });
    const second = await ask('feedback/update', { id, status: 'resolved' });
    expect(second).toMatchObject({ entry: { status: 'resolved', adminNotes: 'seen' } });
    expect(await ask('feedback/list', { status: 'resolved' })).toMatchObject({ total: 1 });
    expect(await ask('feedback/list', { status: 'new' })).toMatchObject({ total: 0 });
  });

  test('counts by type, severity and status and returns the latest ten', async () => {
    const quality = engine.open();
    const ids = await submitAll(quality, [
      ...Array.from({ length: 9 }, () => ({})),
      { type: 'security', severity: 'critical' },
      { type: 'issue' },
    ]);
    await quality.ask('feedback/update', { id: ids[0], status: 'closed' });
    const { stats, recentActivity } = await quality.ask('feedback/stats');
    expect(stats).toEqual({
      total: 11,
      byType: { 'bug-report': 9, security: 1, issue: 1 },
      bySeverity: { medium: 10, critical: 1 },
      byStatus: { new: 10, closed: 1 },
    });
    expect((recentActivity as { id: string }[]).map((one) => one.id)).toEqual(ids.toReversed().slice(0, 10));
  });

  test('reports the size of the store, even when it is empty', async () => {
    const quality = engine.open({ maxEntries: 7 });
    expect(await quality.ask('feedback/health')).toEqual({
      status: 'operational',
      storageInfo: { totalEntries: 0, lastUpdated: null, diskUsage: '0 B' },
      config: { maxEntries: 7, feedbackDir: 'feedback' },
    });
    await submitAll(quality, [{}, {}]);
    expect(await quality.ask('feedback/health')).toMatchObject({
      storageInfo: {
        totalEntries: 2,
        lastUpdated: new Date(quality.clock.now()).toISOString(),
        diskUsage: expect.stringMatching(/^\d+ B$/),
      },
    });
  });

  test('[IN41] keeps the newest entries and moves the others to the trash, with an audit row', async () => {
    const quality = engine.open({ maxEntries: 3 });
    const ids = await submitAll(quality, [{ tags: ['x'] }, { tags: ['x'] }, {}, {}, { title: 'last' }]);
    const { ask, callOf } = quality;
    expect(await ask('feedback/list')).toMatchObject({ total: 3 });
    expect(await ask('feedback/get', { id: ids[1] })).toMatchObject({ entry: { id: ids[1] }, rotated: true });
    expect(await ask('feedback/list', { tags: ['x'] })).toMatchObject({ total: 0 });
    expect(await ask('feedback/health')).toMatchObject({ storageInfo: { totalEntries: 3 } });
    const found = await engine.storage().read(callOf('test'), function* (db) {
      const trashed = yield* newestTrash(db, 'feedback', ids[0]!);
      const changes = yield* db.all(sql<{ what: string }>`
        select what from changes where tenant = ${db.tenant} and topic = 'feedback' order by seq`);
      const tags = yield* db.all(sql`select tag from feedback_tags where tenant = ${db.tenant}`);
      const bytes = yield* db.get(sql<{ bytes: number }>`
        select bytes from feedback_totals where tenant = ${db.tenant}`);
      return { trashed, tags, bytes: bytes?.bytes, kinds: changes.map(({ what }) => what) };
    });
    expect(JSON.parse(found.trashed?.document ?? '{}')).toMatchObject({ id: ids[0], tags: ['x'] });
    expect(found.tags).toEqual([]);
    expect(found.kinds.filter((what) => what === 'delete')).toHaveLength(2);
    const { entries } = await ask('feedback/list');
    expect(found.bytes).toBe(
      (entries as object[]).reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0),
    );
  });

  test('applies a lowered limit with the next entry, however many have to go', async () => {
    const many = engine.open();
    await submitAll(
      many,
      Array.from({ length: instructionLimits.rotateCount * 2 + 5 }, () => ({})),
    );
    const few = engine.open({ tenant: many.caller.tenant, maxEntries: 2 });
    await submitAll(few, [{ title: 'newest' }]);
    const left = await few.ask('feedback/list');
    expect(left).toMatchObject({ total: 2 });
    expect(titles(left)[0]).toBe('newest');
  });

  test('stores all entries that two stores submit concurrently', async () => {
    const tenant = `tenant-shared-${Math.random()}`;
    const one = engine.open({ tenant });
    const other = engine.open({ tenant, storage: await engine.openOther() });
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : other).ask('feedback/submit', report)));
    expect(await one.ask('feedback/health')).toMatchObject({ storageInfo: { totalEntries: 20 } });
    expect(await other.ask('feedback/list')).toMatchObject({ total: 20 });
  });

  test('stores one entry for a repeated request with the same key', async () => {
    const { ask } = engine.open();
    const first = await ask('feedback/submit', report, 'key');
    expect(await ask('feedback/submit', report, 'key')).toEqual(first);
    expect(await ask('feedback/list')).toMatchObject({ total: 1 });
  });

  test('logs security and critical entries without their content', async () => {
    const quality = engine.open();
    await submitAll(quality, [{}, { type: 'security', severity: 'low' }, { severity: 'critical' }]);
    expect(quality.log.lines.map(({ level, fields }) => [level, fields['type'], fields['severity']])).toEqual([
      ['warn', 'security', 'low'],
      ['warn', 'bug-report', 'critical'],
    ]);
    expect(JSON.stringify(quality.log.lines)).not.toContain(report.title);
  });

  test('continues an oversized page at nextOffset', async () => {
    const quality = engine.open();
    const heavy = { description: '\u0001'.repeat(5_000), context: { x: 'y'.repeat(15_000) } };
    await submitAll(
      quality,
      Array.from({ length: 120 }, () => heavy),
    );
    const page = await quality.ask('feedback/list', { limit: 200 });
    const count = (page['entries'] as unknown[]).length;
    expect(count).toBeLessThan(120);
    expect(page).toMatchObject({ total: 120, hasMore: true, truncated: true, nextOffset: count });
    const rest = await quality.ask('feedback/list', { limit: 200, offset: count });
    expect((rest['entries'] as unknown[]).length).toBe(120 - count);
    expect(rest).not.toHaveProperty('truncated');
  });

  test('accepts values exactly at the limits', async () => {
    const { ask } = engine.open();
    const edge = {
      ...report,
      title: 'abc',
      description: 'd'.repeat(instructionLimits.descriptionChars),
      tags: Array.from({ length: instructionLimits.tagsCount }, (_, i) =>
        `${i}`.padEnd(instructionLimits.tagChars, 'x'),
      ),
      context: { x: 'y'.repeat(instructionLimits.contextBytes - '{"x":""}'.length) },
    };
    const { feedbackId: id } = await ask('feedback/submit', edge);
    expect(await ask('feedback/get', { id })).toMatchObject({ entry: edge });
    const over = { ...edge, context: { x: `${edge.context.x}z` } };
    expect(await ask('feedback/submit', over)).toMatchObject({ fault: 'RESOURCE_LIMIT', rpc: -32001 });
    const adminNotes = 'n'.repeat(instructionLimits.adminNotesChars);
    expect(await ask('feedback/update', { id, status: 'closed', adminNotes })).toMatchObject({ entry: { adminNotes } });
    for (const type of feedbackTypes) {
      expect(await ask('feedback/submit', { ...report, type })).toMatchObject({ status: 'submitted' });
    }
  });

  test('[IN46] separates tenants', async () => {
    const one = engine.open();
    const [id] = await submitAll(one, [{}]);
    const other = engine.open();
    expect(await other.ask('feedback/get', { id })).toEqual({ notFound: true, id });
    expect(await other.ask('feedback/list')).toMatchObject({ total: 0 });
    expect(await other.ask('feedback/stats')).toMatchObject({ stats: { total: 0 }, recentActivity: [] });
  });
});

test('gates update but not submit', async () => {
  const { ask, cards } = openQuality({ mutation: false });
  expect(await ask('feedback/update', { id: 'x', status: 'closed' })).toMatchObject({ fault: 'MUTATION_DISABLED' });
  expect(cards.find((card) => card.name === 'feedback/submit')?.gated).toBe(false);
});

test.each([
  ['no type', { type: undefined }],
  ['an unknown type', { type: 'praise' }],
  ['an unknown severity', { severity: 'blocker' }],
  ['a title that is too short', { title: 'ab' }],
  ['a title that is too long', { title: 'x'.repeat(201) }],
  ['a description that is too short', { description: 'too short' }],
  ['a description that is too long', { description: 'x'.repeat(5_001) }],
  ['eleven tags', { tags: Array.from({ length: 11 }, (_, i) => `t${i}`) }],
  ['a tag that is not text', { tags: [1] }],
  ['a context that is not an object', { context: 'x' }],
  ['a session id that is not text', { context: { sessionId: 5 } }],
  ['an unknown key', { priority: 1 }],
  ['an unpaired surrogate', { title: 'abc\ud800' }],
])('rejects a submission with %s', async (_what, part) => {
  const { ask } = openQuality();
  expect(await ask('feedback/submit', { ...report, ...part })).toMatchObject({ fault: 'INVALID_PARAMS', rpc: -32602 });
});

test.each([
  ['feedback/list', { limit: 0 }],
  ['feedback/list', { limit: 201 }],
  ['feedback/list', { offset: -1 }],
  ['feedback/list', { since: 'yesterday' }],
  ['feedback/list', { tags: 'a' }],
  ['feedback/list', { unknown: 1 }],
  ['feedback/get', {}],
  ['feedback/update', { id: 'x' }],
  ['feedback/update', { id: 'x', status: 'done' }],
  ['feedback/update', { id: 'x', status: 'new', adminNotes: 'n'.repeat(1_001) }],
  ['feedback/stats', { since: 5 }],
  ['feedback/health', { verbose: true }],
])('%s rejects %j', async (name, input) => {
  const { ask } = openQuality();
  expect(await ask(name, input)).toMatchObject({ fault: 'INVALID_PARAMS' });
});

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KB'],
  [1_536, '1.5 KB'],
  [5 * 1_024 ** 2, '5.0 MB'],
  [3_000 * 1_024 ** 3, '3000.0 GB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
