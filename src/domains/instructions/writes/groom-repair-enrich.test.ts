import { describe, expect, it } from 'vitest';
import { callerWith, outcomeOf } from '#kernel/tool/invoke.fixture.ts';
import { createCall, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { openWrites, type WritesFixtureOptions } from './writes.fixture.ts';

function open(options: WritesFixtureOptions = {}) {
  return openWrites(createMemoryCatalog(), options);
}
const stateOf = ({ catalog }: ReturnType<typeof open>) => catalog.state(createCall('t'));
const entryOf = async (box: ReturnType<typeof open>, id: string) => (await stateOf(box)).find(id)?.entry;

describe('instructions/groom', () => {
  it('[IN25] cleans up the stored files once', async () => {
    const box = open();
    box.catalog.putDocument({
      id: 'a',
      body: 'x',
      categories: ['B', 'a', 'scope:user:Ann'],
      sourceHash: 'wrong',
      colour: 'red',
    });
    const previousHash = (await stateOf(box)).hash;
    expect(await box.call('groom', { mode: { purgeLegacyScopes: true } })).toEqual({
      previousHash,
      hash: (await stateOf(box)).hash,
      scanned: 1,
      repairedHashes: 1,
      normalizedCategories: 1,
      deprecatedRemoved: 0,
      duplicatesMerged: 0,
      usagePruned: 0,
      filesRewritten: 1,
      purgedScopes: 1,
      dryRun: false,
      notes: [],
      performanceMs: expect.any(Number),
    });
    expect(await entryOf(box, 'a')).toMatchObject({
      categories: ['a', 'b'],
      userId: 'Ann',
      extensions: { colour: 'red' },
    });
    expect(await box.call('groom')).toMatchObject({
      filesRewritten: 0,
      repairedHashes: 0,
      normalizedCategories: 0,
      purgedScopes: 0,
    });
  });

  it('detects a wrong stored hash that loading recomputes', async () => {
    const box = open();
    box.catalog.putDocument({ id: 'a', body: 'x', governanceHash: 'stale' });
    box.catalog.putDocument({ id: 'b', body: 'y' });
    expect(await box.call('groom', { mode: { dryRun: true } })).toMatchObject({ repairedHashes: 1 });
    expect(await box.call('groom', { mode: { updateHashes: false } })).toMatchObject({ filesRewritten: 0 });
    expect(await box.call('repair')).toMatchObject({ repaired: 1, updated: ['a'] });
    expect(await box.catalog.storedJson(createCall('t'), 'a')).toMatchObject({
      governanceHash: (await entryOf(box, 'a'))?.governanceHash,
    });
    expect(await box.call('groom')).toMatchObject({ repairedHashes: 0, filesRewritten: 0 });
  });

  it('[IN25] reads again only files that differ from what is served, and yields to the event loop', async () => {
    const box = open();
    const entries = Array.from({ length: 3_000 }, (_, at) => ({ id: `e${at}`, body: `rule ${at}` }));
    await box.call('import', { entries });
    box.catalog.putDocument({ id: 'by-hand', body: 'x' });
    const asked: string[] = [];
    const { storedJson: stored } = box.catalog;
    box.catalog.storedJson = (call, id) => {
      asked.push(id);
      return stored(call, id);
    };
    for (const action of ['groom', 'repair'] as const) {
      let turns = 0;
      const count = setInterval(() => (turns += 1), 0);
      await box.call(action);
      clearInterval(count);
      expect(turns, action).toBeGreaterThan(0);
    }
    expect(asked).toEqual(['by-hand', 'by-hand']);
  });

  it('[IN22] a dry run reports what it would do, changes nothing, and is a read', async () => {
    const box = open({ mutation: false });
    box.catalog.putDocument({ id: 'a', body: 'x' });
    box.catalog.putDocument({ id: 'b', body: 'x' });
    const { hash } = await stateOf(box);
    const mode = { dryRun: true, mergeDuplicates: true, removeDeprecated: true };
    expect(await box.call('groom', { mode }, callerWith('write'))).toMatchObject({
      hash,
      previousHash: hash,
      dryRun: true,
      duplicatesMerged: 1,
      deprecatedRemoved: 1,
      filesRewritten: 0,
      notes: ['would-rewrite:1', 'would-remove:1', 'merged:a:1'],
    });
    expect(box.catalog.commits).toEqual([]);
    await expect(box.call('groom', { mode: { dryRun: false } })).rejects.toMatchObject({ code: 'MUTATION_DISABLED' });
  });

  it.each([
    ['groom', {}],
    ['repair', {}],
  ])('a %s that writes needs scope and gate', async (action, args) => {
    const name = `instructions/${action}`;
    expect(outcomeOf(await open({ mutation: false }).invoker.call(name, args))).toBe('MUTATION_DISABLED');
    expect(outcomeOf(await open({ readOnly: true }).invoker.call(name, args))).toBe('READ_ONLY');
    expect(outcomeOf(await open().invoker.call(name, args, { caller: callerWith('read') }))).toBe('PERMISSION_DENIED');
    const { invoker, catalog } = open();
    const byWriter = outcomeOf(await invoker.call(name, args, { caller: callerWith('write') }));
    if (action === 'repair') expect(byWriter).toBe('PERMISSION_DENIED');
    else expect(byWriter).toBeTypeOf('object');
    expect(catalog.commits).toEqual([]);
  });

  it('optionally removes merged duplicates and their usage', async () => {
    const forgotten: string[] = [];
    const pruneUsage = async (_call: unknown, ids: readonly string[]) => forgotten.push(...ids);
    const box = open({ deps: { pruneUsage } });
    await box.add({ id: 'a', body: 'x', categories: ['p'] });
    await box.add({ id: 'b', body: 'x', categories: ['q'], priority: 30 });
    expect(await box.call('groom', { mode: { mergeDuplicates: true, removeDeprecated: true } })).toMatchObject({
      duplicatesMerged: 1,
      deprecatedRemoved: 1,
      usagePruned: 1,
      filesRewritten: 1,
      notes: ['merged:a:1'],
    });
    expect(forgotten).toEqual(['b']);
    expect(await entryOf(box, 'a')).toMatchObject({ categories: ['p', 'q'], priority: 30 });
    expect(await box.call('listArchived')).toMatchObject({ items: [{ id: 'b' }] });
  });

  it('rejects an unknown mode', async () => {
    await expect(open().call('groom', { mode: { shine: true } })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('instructions/repair', () => {
  it('corrects stored hashes and keeps version and governance', async () => {
    const box = open();
    const right = completeEntry({ id: 'a', body: 'x' }, { now: '2026-01-01T00:00:00.000Z', canonicalOff: false });
    box.catalog.putDocument({ ...right, body: 'edited by hand' });
    box.catalog.putDocument({ id: 'b', body: 'y' });
    const answer = await box.call('repair');
    expect(answer).toMatchObject({ repaired: 1, updated: ['a'] });
    expect(await entryOf(box, 'a')).toMatchObject({ version: '1.0.0', governanceHash: right.governanceHash });
    expect((await entryOf(box, 'a'))?.sourceHash).not.toBe(right.sourceHash);
    expect(await box.call('repair')).toMatchObject({ repaired: 0, updated: [] });
  });

  it.each([{ clientHash: 'h' }, { known: [{ id: 'a', sourceHash: 'h' }] }])(
    'with %j it answers like diff and is a read',
    async (args) => {
      const seen: unknown[] = [];
      const diff = async (_call: unknown, input: object) => {
        seen.push(input);
        return { upToDate: true, hash: 'h' };
      };
      const box = open({ mutation: false, deps: { diff } });
      expect(await box.call('repair', args, callerWith('write'))).toEqual({ upToDate: true, hash: 'h' });
      expect(seen).toEqual([args]);
    },
  );
});

describe('instructions/enrich', () => {
  it('stores the fields that loading filled in, without changing what is served', async () => {
    const box = open();
    box.catalog.putDocument({ id: 'a', body: 'x', colour: 'red', sourceHash: 'tampered' });
    await box.add({ id: 'b', body: 'y' });
    const before = await entryOf(box, 'a');
    const answer = await box.call('enrich');
    expect(answer).toMatchObject({ enriched: 1, rewritten: 1, updated: ['a'], skipped: 1 });
    // A wrong hash stays: verify and repair are for finding it.
    expect(await entryOf(box, 'a')).toEqual({ ...before, extensions: { colour: 'red' } });
    expect(await box.catalog.storedJson(createCall('t'), 'a')).toMatchObject({
      version: '1.0.0',
      owner: 'unowned',
      status: 'approved',
    });
    expect(await box.call('enrich')).toMatchObject({ enriched: 0, rewritten: 0, updated: [], skipped: 2 });
  });
});

describe('instructions/reload', () => {
  it('returns hash and count', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    expect(await box.call('reload')).toEqual({ reloaded: true, hash: (await stateOf(box)).hash, count: 1 });
  });
});

describe('instructions/governanceUpdate', () => {
  it('applies the patch and optionally raises the version', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    box.clock.advance(86_400_000);
    const answer = await box.call('governanceUpdate', { id: 'a', patch: { owner: 'team' }, bump: 'minor' });
    const entry = await entryOf(box, 'a');
    expect(answer).toEqual({
      id: 'a',
      changed: true,
      previousVersion: '1.0.0',
      newVersion: '1.1.0',
      changedFields: ['owner'],
      governanceHash: entry?.governanceHash,
      hash: (await stateOf(box)).hash,
    });
    expect(entry).toMatchObject({ owner: 'team', changeLog: [{}, { version: '1.1.0', summary: 'governance: owner' }] });
  });

  it('accepts flat fields, and a review moves the next review date', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    const lastReviewedAt = '2026-03-01T00:00:00.000Z';
    expect(await box.call('governanceUpdate', { id: 'a', lastReviewedAt })).toMatchObject({
      changed: true,
      newVersion: '1.0.0',
    });
    expect(await entryOf(box, 'a')).toMatchObject({ lastReviewedAt, nextReviewDue: '2026-05-30T00:00:00.000Z' });
  });

  it('[IN21] approves a draft, which counts as a review', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x', status: 'draft' });
    box.clock.advance(86_400_000);
    const approval = { id: 'a', status: 'approved' };
    expect(await box.call('governanceUpdate', approval, callerWith('write'))).toMatchObject({
      changed: false,
      proposed: true,
      proposal_id: 'p-a',
    });
    expect(await entryOf(box, 'a')).toMatchObject({ status: 'draft' });
    await box.call('governanceUpdate', { id: 'a', status: 'approved' });
    expect(await entryOf(box, 'a')).toMatchObject({ status: 'approved', lastReviewedAt: '2026-01-02T00:00:00.000Z' });
  });

  it('writes nothing when nothing changes, and answers notFound', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    expect(await box.call('governanceUpdate', { id: 'a', owner: 'unowned' })).toMatchObject({
      changed: false,
      newVersion: '1.0.0',
    });
    expect(box.catalog.commits).toHaveLength(1);
    expect(await box.call('governanceUpdate', { id: '../escape', owner: 'x' })).toMatchObject({
      notFound: true,
      changed: false,
    });
  });

  it.each([
    [{ requirement: 'mandatory' }, 'mandatory/critical require owner'],
    [{ status: 'deprecated' }, 'deprecated requires deprecatedBy'],
    [{ supersedes: 'a' }, 'cycle in supersedes: a → a'],
  ])('[IN28] %j violates a rule', async (patch, message) => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    await expect(box.call('governanceUpdate', { id: 'a', patch })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message,
    });
  });

  it('derives a status that is not given from the requirement', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    await box.call('governanceUpdate', { id: 'a', patch: { requirement: 'deprecated', deprecatedBy: 'b' } });
    expect(await entryOf(box, 'a')).toMatchObject({ status: 'deprecated' });
  });

  it.each([{ patch: { body: 'y' } }, { patch: { version: '2.0.0' } }, { title: 'x' }, { bump: 'huge' }])(
    'rejects %j',
    async (args) => {
      await expect(open().call('governanceUpdate', { id: 'a', ...args })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
    },
  );
});
