import { describe, expect, it } from 'vitest';
import { createCall, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { openWrites } from './writes.fixture.ts';

const open = () => openWrites(createMemoryCatalog());
const entryOf = async ({ catalog }: ReturnType<typeof open>, id: string) =>
  (await catalog.state(createCall('t'))).find(id)?.entry;

describe('instructions/import', () => {
  it('[IN17] imports new entries, fills missing fields and reports errors by index', async () => {
    const box = open();
    await box.add({ id: 'old', body: 'x' });
    const entries = [
      { id: 'a', body: 'one' },
      { id: 'old', body: 'y' },
      { id: 'a', body: 'again' },
      { id: '../escape', body: 'x' },
      'text',
      { id: 'b', body: 'x', requirement: 'mandatory' },
      { id: 'c', body: 'x'.repeat(50_001) },
      { id: 'd', body: 'two', createdAt: '2020-01-01T00:00:00.000Z' },
    ];
    expect(await box.call('import', { entries })).toEqual({
      hash: (await box.catalog.state(createCall('t'))).hash,
      imported: 2,
      skipped: 1,
      overwritten: 0,
      total: 8,
      errors: [
        { index: 2, id: 'a', error: 'duplicate id in this import', code: 'DUPLICATE_ID' },
        { index: 3, id: '../escape', error: 'invalid id', code: 'INVALID_ID' },
        { index: 4, error: 'missing entry', code: 'MISSING_FIELD' },
        { index: 5, id: 'b', error: 'mandatory/critical require owner', code: 'VALIDATION_ERROR' },
        { index: 6, id: 'c', error: 'body over the limit', code: 'RESOURCE_LIMIT' },
      ],
      processingTimeMs: expect.any(Number),
    });
    expect(await entryOf(box, 'd')).toMatchObject({ createdAt: '2020-01-01T00:00:00.000Z', title: 'd' });
  });

  it.each(['skip', 'overwrite', 'merge'])('[IN55] promises in a dry run what an import with %s does', async (mode) => {
    const box = openWrites(createMemoryCatalog());
    await box.add({ id: 'old', body: 'x' });
    box.catalog.dropBroken('broken');
    const entries = [
      { id: 'a', body: 'one' },
      { id: 'old', body: 'y' },
      { id: 'a', body: 'again' },
      { id: 'Old', body: 'z' },
      { id: 'New.One', body: 'z', requirement: 'MUST' },
      { id: '../escape', body: 'x' },
      { id: 'broken', body: 'x' },
      { id: 'b', body: 'x', requirement: 'mandatory' },
      { id: 'c', body: 'x', dependencies: ['d'] },
      { id: 'd', body: 'x', dependencies: ['c'] },
      { id: 'e', body: 'x', extensions: { blob: 'y'.repeat(1024 * 1024) } },
    ];
    const promised = await box.call('import', { entries, mode, dryRun: true });
    expect((await box.catalog.state(createCall('t'))).count).toBe(1);
    const done = await box.call('import', { entries, mode });
    expect({ ...promised, hash: '', processingTimeMs: 0 }).toEqual({ ...done, hash: '', processingTimeMs: 0 });
    expect(done).toMatchObject({ imported: 3, [mode === 'skip' ? 'skipped' : 'overwritten']: 1 });
  });

  it('overwrite replaces an entry, and merge keeps the fields that the new one lacks', async () => {
    for (const [mode, rationale] of [
      ['overwrite', undefined],
      ['merge', 'why'],
    ] as const) {
      const box = open();
      await box.add({ id: 'a', body: 'x', rationale: 'why' });
      const answer = await box.call('import', {
        entries: [
          { id: 'a', body: 'y' },
          { id: 'b', body: 'z' },
        ],
        mode,
      });
      expect(answer).toMatchObject({ imported: 1, overwritten: 1, skipped: 0, errors: [] });
      expect(await entryOf(box, 'a')).toMatchObject({ body: 'y', version: '1.0.1' });
      expect((await entryOf(box, 'a'))?.rationale).toBe(rationale);
    }
  });

  it('[IN49] keeps a confirmed rule mandatory when its source is imported again', async () => {
    const box = open();
    const candidate = { categories: ['c'], requirement: 'recommended', extensions: { candidate: 'mandatory' } };
    await box.call('import', { entries: [{ id: 'a', body: 'Never x.', ...candidate }] });
    const confirmed = { requirement: 'mandatory', owner: 'ann', categories: ['c'] };
    await box.call('import', { entries: [{ id: 'a', body: 'Never do x.', ...confirmed }], mode: 'overwrite' });
    await box.call('import', { entries: [{ id: 'a', body: 'Never y.', ...candidate }], mode: 'overwrite' });
    expect(await entryOf(box, 'a')).toMatchObject({ body: 'Never y.', requirement: 'mandatory', owner: 'ann' });
  });

  it('does not validate a trusted source, except its ids', async () => {
    const box = open();
    const entries = [
      { id: 'a', body: 'x', requirement: 'mandatory', colour: 'red' },
      { id: '..', body: 'x' },
    ];
    expect(await box.call('import', { entries, validate: false })).toMatchObject({
      imported: 1,
      errors: [{ index: 1, code: 'INVALID_ID' }],
    });
    expect((await entryOf(box, 'a'))?.extensions).toEqual({ colour: 'red' });
  });

  it('reports a cycle inside the import where it closes', async () => {
    const entries = [
      { id: 'a', body: 'x', supersedes: 'b' },
      { id: 'b', body: 'x', supersedes: 'a' },
    ];
    expect(await open().call('import', { entries })).toMatchObject({
      imported: 1,
      errors: [{ index: 1, id: 'b', error: 'cycle in supersedes: b → a → b', code: 'VALIDATION_ERROR' }],
    });
  });

  it('[IN17] commits in batches with progress', async () => {
    const box = open();
    const seen: (readonly [number, number | undefined])[] = [];
    const entries = Array.from({ length: 7 }, (_, at) => ({ id: `e${at}`, body: `body ${at}` }));
    const progress = (done: number, total?: number) => void seen.push([done, total]);
    const outcome = await box.invoker.call('instructions/import', { entries, batchSize: 3 }, { progress });
    expect(outcome).toMatchObject({ ok: true, value: { imported: 7 } });
    expect(box.catalog.commits.map((changes) => changes.length)).toEqual([3, 3, 1]);
    expect(seen).toEqual([
      [3, 7],
      [6, 7],
      [7, 7],
    ]);
  });

  it('only the entry that changed meanwhile fails', async () => {
    const box = open();
    box.catalog.beforeCommit = () => box.catalog.putDocument({ id: 'b', body: 'theirs' });
    const entries = [
      { id: 'a', body: 'x' },
      { id: 'b', body: 'x' },
      { id: 'c', body: 'x' },
    ];
    expect(await box.call('import', { entries })).toMatchObject({
      imported: 2,
      errors: [{ index: 1, id: 'b', code: 'CONFLICT' }],
    });
    expect((await entryOf(box, 'b'))?.body).toBe('theirs');
  });

  it('rejects more entries than the limit', async () => {
    const entries = Array.from({ length: 10_001 }, () => ({}));
    await expect(open().call('import', { entries })).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
  });

  it.each([
    {},
    { entries: 'x' },
    { entries: [], mode: 'replace' },
    { entries: [], batchSize: 0 },
    { entries: [], batchSize: 101 },
    { entries: [], timestamp: 'x' },
  ])('rejects %j', async (args) => {
    await expect(open().call('import', args)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('imports an export unchanged', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x', categories: ['c'], owner: 'team', priority: 5 });
    await box.add({ id: 'a', body: 'y' }, { overwrite: true });
    const { entries } = await box.catalog.state(createCall('t'));
    const other = open();
    other.clock.advance(1e9);
    await other.call('import', { entries });
    expect((await other.catalog.state(createCall('t'))).entries).toEqual(entries);
  });
});
