import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flushFolder } from '#domains/instructions/catalog/files/write-file.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { toEntry } from './open-catalog.fixture.ts';

const diskFailure = () => Object.assign(new Error('disk failure of this test'), { code: 'EIO' });

/** A disk cannot be made to fail, so only the flush of the folder is replaced; everything else is real. */
function createFailingFlush() {
  const disk = { isFailing: false, failedCount: 0, flushFolder: flushOrFail };
  async function flushOrFail(...args: Parameters<typeof flushFolder>): Promise<void> {
    if (!disk.isFailing) return flushFolder(...args);
    disk.failedCount += 1;
    throw diskFailure();
  }
  return disk;
}

export function testFailingFlushes(): void {
  const changes = [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }];

  test('has an unknown outcome when the folder cannot be flushed, and is made once when it is repeated under its key', async () => {
    const folder = await openCatalogFolder();
    const disk = createFailingFlush();
    const { catalog } = folder.open({ flushFolder: disk.flushFolder });
    const keyed = () => folder.call({ idempotencyKey: 'k', requestHash: 'h' });
    await catalog.state(folder.call());
    disk.isFailing = true;
    await expect(catalog.commit(keyed(), changes)).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      kind: { retryable: true },
    });
    expect(disk.failedCount).toBe(1);
    expect(await folder.journalRows()).toEqual([{ id: 'a', state: 'open' }]);
    expect(existsSync(folder.path('a.json'))).toBe(true);
    disk.isFailing = false;
    expect((await catalog.commit(keyed(), changes)).count).toBe(1);
    expect(await folder.journalRows()).toEqual([]);
    expect(await folder.auditRows()).toEqual(['tester create a']);
  });

  test('does not prevent reads while the disk fails, and is finished when the disk works again', async () => {
    const folder = await openCatalogFolder();
    const disk = createFailingFlush();
    const first = folder.open({ flushFolder: disk.flushFolder });
    await first.catalog.state(folder.call());
    disk.isFailing = true;
    await expect(first.catalog.commit(folder.call(), changes)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await first.close();
    let skewMs = 0;
    const { catalog, log } = folder.open({
      flushFolder: disk.flushFolder,
      clock: { now: () => Date.now() + skewMs },
    });
    expect((await catalog.state(folder.call())).entries.map(({ id }) => id)).toEqual(['a']);
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([{ reason: 'EIO' }]);
    expect(await folder.journalRows()).toHaveLength(1);
    disk.isFailing = false;
    skewMs = 3_000;
    await catalog.state(folder.call());
    expect(await folder.journalRows()).toEqual([]);
    expect((await catalog.search(folder.call(), { text: 'well', limit: 5 })).total).toBe(1);
    expect(await folder.auditRows()).toEqual(['tester create a']);
  });

  test('succeeds although the version file cannot be written', async () => {
    const folder = await openCatalogFolder();
    mkdirSync(folder.path('.catalog-version'));
    writeFileSync(folder.path('.catalog-version/x'), '');
    const { catalog } = folder.open();
    expect((await catalog.commit(folder.call(), changes)).count).toBe(1);
    expect(await folder.journalRows()).toEqual([]);
    expect(readdirSync(folder.folders.folder).toSorted()).toEqual(['.catalog-version', 'a.json']);
  });
}
