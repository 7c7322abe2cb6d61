import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { createCall } from '../catalog/memory-catalog.fixture.ts';
import { createCatalogFixture } from './stores.fixture.ts';

describe.each([sqliteEngine(false), postgresEngine(false)])('[IN1] writes over a real catalog on $name', (engine) => {
  const { open } = createCatalogFixture(engine);

  it('add, overwrite, govern, remove and restore are visible in another process', async () => {
    const box = await open();
    expect(await box.add({ id: 'life', body: 'one\n', owner: 'team', priority: 10, categories: ['c'] })).toMatchObject({
      created: true,
      verified: true,
    });
    expect(await box.add({ id: 'life', body: 'two' }, { overwrite: true })).toMatchObject({
      overwritten: true,
      version: '1.0.1',
    });
    expect(await box.call('governanceUpdate', { id: 'life', owner: 'other', bump: 'major' })).toMatchObject({
      newVersion: '2.0.0',
    });
    const kept = (await box.catalog.lookUp(createCall('t'), 'life')).found?.entry;
    expect(kept).toMatchObject({ body: 'two', owner: 'other', priority: 10, version: '2.0.0' });
    const other = await open();
    expect((await other.catalog.lookUp(createCall('t'), 'life')).found?.entry).toEqual(kept);
    expect(await box.call('remove', { ids: ['life'] })).toMatchObject({ removedIds: ['life'] });
    expect(await box.call('listArchived')).toMatchObject({ items: [{ id: 'life', removedBy: 'ada' }] });
    expect(await box.call('restore', { ids: ['life'] })).toMatchObject({ restoredIds: ['life'] });
    expect((await box.catalog.lookUp(createCall('t'), 'life')).found?.entry).toEqual(kept);
    expect(await box.call('reload')).toMatchObject({ reloaded: true });
  });

  it('imports in batches, merges duplicates, and removes many entries with confirm', async () => {
    const box = await open();
    const entries = Array.from({ length: 130 }, (_, at) => ({ id: `many-${at}`, body: `rule ${at % 120}` }));
    expect(await box.call('import', { entries })).toMatchObject({ imported: 130, total: 130, errors: [] });
    expect(await box.call('import', { entries })).toMatchObject({ imported: 0, skipped: 130 });
    expect(await box.call('import', { entries, mode: 'overwrite' })).toMatchObject({ overwritten: 130, errors: [] });
    const mode = { mergeDuplicates: true, removeDeprecated: true };
    expect(await box.call('groom', { mode })).toMatchObject({ duplicatesMerged: 10, deprecatedRemoved: 10 });
    const ids = entries.map(({ id }) => id);
    await expect(box.call('remove', { ids })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const removed = await box.call('remove', { ids, confirm: true });
    expect(removed).toMatchObject({ removed: 120, errorCount: 0 });
    expect(removed['missing']).toHaveLength(10);
    expect(await box.call('restore', { ids })).toMatchObject({ restored: 130, missing: [] });
    expect(await box.call('remove', { ids, confirm: true })).toMatchObject({ removed: 130 });
  });

  it('[IN4] two processes that add the same id create one entry', async () => {
    const [one, two] = [await open(), await open()];
    const answers = await Promise.all([one.add({ id: 'race', body: 'one' }), two.add({ id: 'race', body: 'two' })]);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(answers.filter(({ skipped }) => skipped)).toHaveLength(1);
    expect(new Set(answers.map(({ sourceHash }) => sourceHash)).size).toBe(1);
  });
});

describe('writes over a folder', () => {
  const { open, folder } = createCatalogFixture(sqliteEngine(false));

  it('enriches and repairs manually written files without leaving the folder', async () => {
    await mkdir(folder(), { recursive: true });
    const file = join(folder(), 'by-hand.json');
    await writeFile(file, JSON.stringify({ id: 'by-hand', body: 'x', sourceHash: 'wrong', colour: 'red' }));
    const box = await open();
    expect(await box.call('reload')).toMatchObject({ reloaded: true });
    expect(await box.call('enrich')).toMatchObject({ updated: ['by-hand'] });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      version: '1.0.0',
      sourceHash: 'wrong',
      extensions: { colour: 'red' },
    });
    expect(await box.call('repair')).toMatchObject({ repaired: 1, updated: ['by-hand'] });
    expect(await box.call('repair')).toMatchObject({ repaired: 0 });
    const before = await readdir(join(folder(), '..'));
    expect(await box.add({ id: '../escape', body: 'x' })).toMatchObject({ error: 'invalid id' });
    expect(await readdir(join(folder(), '..'))).toEqual(before);
  });

  it('groom counts the stored files, not the loaded entries', async () => {
    await mkdir(folder(), { recursive: true });
    const stored = { id: 'untidy', body: 'x', categories: ['Zeta', 'alpha', 'ALPHA', 'scope:team:core'] };
    await writeFile(join(folder(), 'untidy.json'), JSON.stringify(stored));
    const box = await open();
    const mode = { purgeLegacyScopes: true };
    const counts = { normalizedCategories: 1, purgedScopes: 1, filesRewritten: 1 };
    expect(await box.call('groom', { mode })).toMatchObject(counts);
    expect(JSON.parse(await readFile(join(folder(), 'untidy.json'), 'utf8'))).toMatchObject({
      categories: ['alpha', 'zeta'],
      teamIds: ['core'],
    });
    expect(await box.call('groom', { mode })).toMatchObject({ normalizedCategories: 0, purgedScopes: 0 });
  });

  it.each([1, 12])('[IN20] of %i removals, an unreadable file is reported with its reason and stays', async (count) => {
    await mkdir(folder(), { recursive: true });
    const file = join(folder(), 'garbled.json');
    await writeFile(file, '{"id": "garbled",');
    const box = await open();
    const others = Array.from({ length: count - 1 }, (_, at) => ({ id: `other-${at}`, body: 'x' }));
    await box.call('import', { entries: others });
    await box.call('reload');
    const ids = ['garbled', ...others.map(({ id }) => id)];
    expect(await box.call('remove', { ids, confirm: true })).toMatchObject({
      removed: count - 1,
      missing: [],
      errorCount: 1,
      errors: [
        { id: 'garbled', code: 'VALIDATION_ERROR', error: expect.stringMatching(/^unreadable file: garbled.json: /) },
      ],
    });
    expect(await readFile(file, 'utf8')).toBe('{"id": "garbled",');
    const strict = await open(() => ({ strictRemove: true }));
    expect(await strict.call('remove', { ids: ['garbled'] })).toMatchObject({
      removed: 0,
      missing: [],
      errorCount: 1,
    });
  });

  it('[IN9] does not overwrite an unreadable file, even by an import', async () => {
    await mkdir(folder(), { recursive: true });
    const file = join(folder(), 'broken.json');
    await writeFile(file, '{"id": "broken", "bo');
    const box = await open();
    expect(await box.add({ id: 'broken', body: 'x' }, { overwrite: true })).toMatchObject({
      created: false,
      error: expect.stringContaining('unreadable file'),
    });
    const entries = [
      { id: 'broken', body: 'x' },
      { id: 'whole', body: 'x' },
    ];
    expect(await box.call('import', { entries, mode: 'overwrite' })).toMatchObject({
      imported: 1,
      errors: [{ index: 0, id: 'broken' }],
    });
    expect(await readFile(file, 'utf8')).toBe('{"id": "broken", "bo');
  });
});
