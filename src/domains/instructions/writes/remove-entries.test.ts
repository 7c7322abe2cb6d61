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
  it('removes entries and reports missing and invalid ids', async () => {
    const box = await open(3);
    expect(await box.call('remove', { ids: ['e2', 'e2', 'gone', '../escape'] })).toEqual({
      removed: 1,
      removedIds: ['e2'],
      missing: ['gone'],
      errorCount: 1,
      errors: [{ id: '../escape', error: 'invalid id', code: 'INVALID_ID' }],
      hash: (await box.catalog.state(createCall('t'))).hash,
      restore: { tool: 'instructions_restore', arguments: { ids: ['e2'] } },
    });
  });

  it('[IN18] requires confirm for more than ten', async () => {
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

  it('[IN18] cascade also removes dependents, which count for confirm', async () => {
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

  it('[IN18] strict removes nothing when one id is missing', async () => {
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

  it('keeps an entry that changed meanwhile', async () => {
    const box = await open(2);
    box.catalog.beforeCommit = () => box.catalog.putDocument({ id: 'e0', body: 'theirs' });
    expect(await box.call('remove', { ids: ['e0', 'e1'] })).toMatchObject({
      removedIds: ['e1'],
      errors: [{ id: 'e0', code: 'CONFLICT' }],
    });
  });
});

describe('archive', () => {
  it('[IN19] keeps removed entries and restores them unchanged', async () => {
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

  it('lists newest first, in pages', async () => {
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

  it('can be listed while the gate is closed', async () => {
    const box = openWrites(createMemoryCatalog(), { mutation: false, readOnly: true });
    expect(await box.call('listArchived')).toEqual({ count: 0, items: [] });
  });
});
