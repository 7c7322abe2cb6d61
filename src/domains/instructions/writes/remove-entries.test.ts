import { describe, expect, it } from 'vitest';
import { createCall, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { openWrites } from './writes.fixture.ts';

async function open(count: number, deps = {}) {
  const box = openWrites(createMemoryCatalog(), { deps });
  const entries = Array.from({ length: count }, (_, at) => ({
    id: `e${at}`,
    body: `body ${at}`,
    ...(at > 0 && { dependencies: [`e${at - 1}`] }),
  }));
  await box.call('import', { entries });
  return box;
}

const ids = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`);
const countOf = async ({ catalog }: Awaited<ReturnType<typeof open>>) => (await catalog.state(createCall('t'))).count;

describe('instructions/remove', () => {
  it('removes, names what is missing and what is no id', async () => {
    const box = await open(3);
    expect(await box.call('remove', { ids: ['e2', 'e2', 'gone', '../escape'] })).toEqual({
      removed: 1,
      removedIds: ['e2'],
      missing: ['gone'],
      errorCount: 1,
      errors: [{ id: '../escape', error: 'invalid id', code: 'INVALID_ID' }],
      hash: (await box.catalog.state(createCall('t'))).hash,
    });
  });

  it('[IN18] more than ten need to be confirmed', async () => {
    const box = await open(12);
    await expect(box.call('remove', { ids: ids(11) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      kind: { rpc: -32002 },
    });
    await expect(box.call('remove', { ids: ids(1_000) })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await countOf(box)).toBe(12);
    expect(await box.call('remove', { ids: ids(10) })).toMatchObject({ removed: 10 });
    expect(await box.call('remove', { ids: ids(12), confirm: true })).toMatchObject({ removed: 2, missing: ids(10) });
  });

  it('[IN18] cascade takes along what depends on them, and counts for the confirmation', async () => {
    const box = await open(12);
    await expect(box.call('remove', { ids: ['e0'], cascade: true })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await box.call('remove', { ids: ['e9'], cascade: true })).toMatchObject({
      removed: 3,
      removedIds: ['e9', 'e10', 'e11'],
      cascadeRemovals: ['e10', 'e11'],
    });
    expect(await countOf(box)).toBe(9);
  });

  it('[IN18] strict: one missing id and nothing is removed', async () => {
    const box = await open(2, { strictRemove: true });
    expect(await box.call('remove', { ids: ['e0', 'gone'] })).toMatchObject({
      removed: 0,
      missing: ['gone'],
      errorCount: 1,
      errors: [{ id: 'gone', error: 'not found', code: 'NOT_FOUND' }],
    });
    expect(await countOf(box)).toBe(2);
    expect(await box.call('remove', { ids: ['e0'] })).toMatchObject({ removed: 1 });
  });

  it('an entry that moved meanwhile stays', async () => {
    const box = await open(2);
    box.catalog.beforeCommit = () => box.catalog.putDocument({ id: 'e0', body: 'theirs' });
    expect(await box.call('remove', { ids: ['e0', 'e1'] })).toMatchObject({
      removedIds: ['e1'],
      errors: [{ id: 'e0', code: 'CONFLICT' }],
    });
  });
});

describe('the archive', () => {
  it('[IN19] holds what was removed and gives it back as it was', async () => {
    const box = await open(3);
    const before = await box.catalog.state(createCall('t'));
    await box.call('remove', { ids: ids(2) });
    expect(await box.call('restore', { ids: ['e0', 'e2', 'gone', '../escape', 'e1'] })).toEqual({
      restored: 2,
      restoredIds: ['e0', 'e1'],
      existing: ['e2'],
      missing: ['gone', '../escape'],
      hash: before.hash,
    });
    expect((await box.catalog.state(createCall('t'))).entries).toEqual(before.entries);
  });

  it('is listed newest first, page by page', async () => {
    const box = await open(5);
    await box.call('remove', { ids: ids(5) });
    const first = await box.call('listArchived', { limit: 3 });
    expect(first).toMatchObject({
      count: 3,
      items: [{ id: 'e4', title: 'e4', version: '1.0.0' }, { id: 'e3' }, { id: 'e2' }],
    });
    const second = await box.call('listArchived', { limit: 3, cursor: first['nextCursor'] });
    expect(second).toMatchObject({ count: 2, items: [{ id: 'e1' }, { id: 'e0', removedBy: 'ada' }] });
    expect(second).not.toHaveProperty('nextCursor');
    await expect(box.call('listArchived', { cursor: 'forged' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('can be listed while the gate is shut', async () => {
    const box = openWrites(createMemoryCatalog(), { mutation: false, readOnly: true });
    expect(await box.call('listArchived')).toEqual({ count: 0, items: [] });
  });
});
