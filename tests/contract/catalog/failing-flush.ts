import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flushFolder } from '#domains/instructions/catalog/files/write-file.ts';
import { openHouse } from './folder-house.ts';
import { toEntry } from './open-catalog.ts';

const diskFailure = () => Object.assign(new Error('disk failure of this test'), { code: 'EIO' });

/** No disk fails when a test wants it to, so the flush of the folder is planted; everything around it is real. */
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

  test('whose folder cannot be flushed has an unknown outcome, and repeated under its key it is done once', async () => {
    const house = await openHouse();
    const disk = createFailingFlush();
    const { catalog } = house.open({ flushFolder: disk.flushFolder });
    const keyed = () => house.call({ idempotencyKey: 'k', requestHash: 'h' });
    await catalog.state(house.call());
    disk.isFailing = true;
    await expect(catalog.commit(keyed(), changes)).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      kind: { retryable: true },
    });
    expect(disk.failedCount).toBe(1);
    expect(await house.openRows()).toEqual([{ id: 'a', state: 'open' }]);
    expect(existsSync(house.path('a.json'))).toBe(true);
    disk.isFailing = false;
    expect((await catalog.commit(keyed(), changes)).count).toBe(1);
    expect(await house.openRows()).toEqual([]);
    expect(await house.audited()).toEqual(['tester create a']);
  });

  test('on a disk that goes on failing keeps nobody from reading, and is finished when the disk works again', async () => {
    const house = await openHouse();
    const disk = createFailingFlush();
    const first = house.open({ flushFolder: disk.flushFolder });
    await first.catalog.state(house.call());
    disk.isFailing = true;
    await expect(first.catalog.commit(house.call(), changes)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await first.close();
    let skewMs = 0;
    const { catalog, log } = house.open({
      flushFolder: disk.flushFolder,
      clock: { now: () => Date.now() + skewMs },
    });
    expect((await catalog.state(house.call())).entries.map(({ id }) => id)).toEqual(['a']);
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([{ reason: 'EIO' }]);
    expect(await house.openRows()).toHaveLength(1);
    disk.isFailing = false;
    skewMs = 3_000;
    await catalog.state(house.call());
    expect(await house.openRows()).toEqual([]);
    expect((await catalog.search(house.call(), { text: 'well', limit: 5 })).total).toBe(1);
    expect(await house.audited()).toEqual(['tester create a']);
  });

  test('is not held up by something that stands in the place of the version file', async () => {
    const house = await openHouse();
    mkdirSync(house.path('.catalog-version'));
    writeFileSync(house.path('.catalog-version/x'), '');
    const { catalog } = house.open();
    expect((await catalog.commit(house.call(), changes)).count).toBe(1);
    expect(await house.openRows()).toEqual([]);
    expect(readdirSync(house.folders.folder).toSorted()).toEqual(['.catalog-version', 'a.json']);
  });
}
