import { describe, expect, it } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createCall } from '../catalog/memory-catalog.fixture.ts';
import type { Idempotency } from './idempotency.ts';
import { createCatalogFixture } from './stores.fixture.ts';

type Box = Awaited<ReturnType<ReturnType<typeof createCatalogFixture>['open']>>;
type Real = { readonly catalog: Catalog; readonly idempotency: Idempotency };

/** Simulates a process that dies after its last commit, before the answer is saved. */
const goneBeforeAnswer = ({ idempotency }: Real) => ({
  idempotency: { ...idempotency, answer: <T>(_call: unknown, work: () => Promise<T>) => work() },
});

/** Simulates a process that dies in the middle: the store accepts that many more commits. */
const goneAfterCommits =
  (count: number) =>
  ({ catalog }: Real) => {
    let left = count;
    const commit: Catalog['commit'] = (call, changes) => {
      left -= 1;
      return left < 0
        ? Promise.reject(faults.STORE_UNAVAILABLE({ why: 'fails in this test' }))
        : catalog.commit(call, changes);
    };
    return { catalog: { ...catalog, commit } };
  };

const keyed = (box: Box, key: string, action: string, args: object = {}) => box.call(action, args, undefined, key);
const hashOf = async ({ catalog }: Box) => (await catalog.state(createCall('t'))).hash;
const some = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `${name}-${at}`, body: `rule ${name} ${at}` }));
const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

describe.each([sqliteEngine(true), postgresEngine(false)])('[IN24] a repeated request on $name', (engine) => {
  const { open } = createCatalogFixture(engine);

  it.each([
    ['add', { entry: { id: 'r-add', body: 'x' }, lax: true }, { created: true, skipped: false }],
    ['import', { entries: some('r-import', 3) }, { imported: 3, skipped: 0 }],
    ['remove', { ids: ['here'] }, { removedIds: ['here'], missing: [] }],
    ['restore', { ids: ['archived'] }, { restoredIds: ['archived'], existing: [] }],
    ['governanceUpdate', { id: 'governed', owner: 'team', bump: 'minor' }, { changed: true, newVersion: '1.1.0' }],
    ['groom', { mode: { mergeDuplicates: true } }, { dryRun: false }],
    ['repair', {}, { repaired: 0 }],
    ['enrich', {}, { enriched: 0 }],
  ])('%s: returns the first answer for the same key, in this process and in another', async (action, args, part) => {
    const box = await open();
    for (const id of ['here', 'archived', 'governed']) await box.add({ id, body: 'x' });
    await box.call('remove', { ids: ['archived'] });
    const first = await keyed(box, `k-${action}`, action, args);
    expect(first).toMatchObject(part);
    // The catalog changes in between, so that an answer from the current state would differ.
    await box.add({ id: `later-${action}`, body: action });
    const hash = await hashOf(box);
    expect(await keyed(box, `k-${action}`, action, args)).toEqual(first);
    expect(await keyed(await open(), `k-${action}`, action, args)).toEqual(first);
    expect(await hashOf(box)).toBe(hash);
  });

  it.each([
    ['add', { entry: { id: 'c-1', body: 'x' }, lax: true }, { entry: { id: 'c-2', body: 'x' }, lax: true }],
    ['import', { entries: some('c', 1) }, { entries: some('d', 1) }],
    ['remove', { ids: ['c-1'] }, { ids: ['c-0'] }],
    ['restore', { ids: ['c-1'] }, { ids: ['c-0'] }],
    ['governanceUpdate', { id: 'c-0', owner: 'a' }, { id: 'c-0', owner: 'b' }],
    ['groom', {}, { mode: { mergeDuplicates: true } }],
  ])('%s: rejects the same key with other arguments and changes nothing', async (action, first, second) => {
    const box = await open();
    await keyed(box, `c-${action}`, action, first);
    const hash = await hashOf(box);
    await expect(keyed(box, `c-${action}`, action, second)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(await hashOf(box)).toBe(hash);
  });

  it('waits for the first request when it is still running', async () => {
    const box = await open();
    const args = { entry: { id: 'twice', body: 'x' }, lax: true };
    const [one, two] = await Promise.all([keyed(box, 'tw', 'add', args), keyed(box, 'tw', 'add', args)]);
    expect(one).toMatchObject({ created: true });
    expect(two).toEqual(one);
  });

  it('a rejected request leaves its key free for the corrected one', async () => {
    const box = await open();
    expect(await keyed(box, 'bad', 'add', { entry: { id: '../x', body: 'x' } })).toMatchObject({ created: false });
    expect(await keyed(box, 'bad', 'add', { entry: { id: 'good', body: 'x' }, lax: true })).toMatchObject({
      created: true,
    });
  });

  it('a dry run leaves its key free', async () => {
    const box = await open();
    expect(await keyed(box, 'dry', 'groom', { mode: { dryRun: true } })).toMatchObject({ dryRun: true });
    expect(await keyed(box, 'dry', 'groom', {})).toMatchObject({ dryRun: false });
  });

  describe('after an interrupted first attempt', () => {
    it.each([
      ['created', {}, { created: true, overwritten: false, skipped: false }],
      ['overwritten', { overwrite: true }, { created: false, overwritten: true, skipped: false }],
    ])('add answers %s', async (name, more, part) => {
      const id = `cut-${name}`;
      const gone = await open(goneBeforeAnswer);
      if (name === 'overwritten') await gone.add({ id, body: 'before' });
      const args = { entry: { id, body: 'x' }, lax: true, ...more };
      const first = await keyed(gone, `cut-${name}`, 'add', args);
      expect(first).toMatchObject(part);
      const box = await open();
      expect(await keyed(box, `cut-${name}`, 'add', args)).toEqual(first);
      await expect(keyed(box, `cut-${name}`, 'add', { ...args, entry: { id, body: 'y' } })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
      });
    });

    it('governanceUpdate raises the version once', async () => {
      const gone = await open(goneBeforeAnswer);
      await gone.add({ id: 'cut-gov', body: 'x' });
      const args = { id: 'cut-gov', owner: 'team', bump: 'major' };
      const first = await keyed(gone, 'cut-gov', 'governanceUpdate', args);
      expect(first).toMatchObject({ changed: true, previousVersion: '1.0.0', newVersion: '2.0.0' });
      expect(await keyed(await open(), 'cut-gov', 'governanceUpdate', args)).toEqual(first);
    });

    it('import continues and counts the entries of both attempts', async () => {
      const entries = some('cut-import', 25);
      const args = { entries, batchSize: 10 };
      const gone = await open(goneAfterCommits(1));
      await gone.add({ id: 'cut-import-3', body: 'mine' }).catch(() => {});
      await expect(keyed(gone, 'ci', 'import', args)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      const half = await open(goneAfterCommits(1));
      await expect(keyed(half, 'ci', 'import', args)).rejects.toBeInstanceOf(Fault);
      const answer = await keyed(await open(), 'ci', 'import', args);
      expect(answer).toMatchObject({ imported: 24, skipped: 1, total: 25, errors: [] });
    });

    it('remove and restore list what the first attempt did', async () => {
      const box = await open();
      const entries = some('cut-remove', 130);
      const ids = idsOf(entries);
      await box.call('import', { entries });
      const args = { ids: [...ids, 'never-there'], confirm: true };
      const gone = await open(goneAfterCommits(1));
      await expect(keyed(gone, 'cr', 'remove', args)).rejects.toBeInstanceOf(Fault);
      const left = (await box.catalog.state(createCall('t'))).entries.filter(({ id }) => ids.includes(id));
      expect(left).toHaveLength(30);
      expect(await keyed(await open(), 'cr', 'remove', args)).toMatchObject({
        removed: 130,
        missing: ['never-there'],
        errors: [],
      });
      const back = await open(goneBeforeAnswer);
      expect(await keyed(back, 'cs', 'restore', { ids })).toMatchObject({ restored: 130 });
      expect(await keyed(await open(), 'cs', 'restore', { ids })).toMatchObject({
        restored: 130,
        existing: [],
        missing: [],
      });
    });

    it('a strict removal ignores entries that it removed itself', async () => {
      const gone = await open((real) => ({ ...goneBeforeAnswer(real), strictRemove: true }));
      await gone.add({ id: 'cut-strict', body: 'x' });
      const first = await keyed(gone, 'st', 'remove', { ids: ['cut-strict'] });
      expect(first).toMatchObject({ removed: 1, errorCount: 0 });
      const box = await open(() => ({ strictRemove: true }));
      expect(await keyed(box, 'st', 'remove', { ids: ['cut-strict'] })).toEqual(first);
    });

    it('groom reports the counts of its first attempt', async () => {
      const box = await open();
      const entries = Array.from({ length: 120 }, (_, at) => ({ id: `cut-groom-${at}`, body: 'one and the same' }));
      await box.call('groom', { mode: { mergeDuplicates: true, removeDeprecated: true } });
      await box.call('import', { entries });
      const args = { mode: { mergeDuplicates: true, removeDeprecated: true } };
      const gone = await open(goneAfterCommits(1));
      await expect(keyed(gone, 'cg', 'groom', args)).rejects.toBeInstanceOf(Fault);
      expect(await keyed(await open(), 'cg', 'groom', args)).toMatchObject({
        duplicatesMerged: 119,
        deprecatedRemoved: 119,
      });
      const { entries: left } = await box.catalog.state(createCall('t'));
      expect(left.filter(({ id }) => id.startsWith('cut-groom'))).toHaveLength(1);
    });
  });
});
