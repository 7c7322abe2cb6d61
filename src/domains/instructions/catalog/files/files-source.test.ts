import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openCatalogFolder } from '#tests/contract/catalog/catalog-folder.fixture.ts';
import { toEntry } from '#tests/contract/catalog/open-catalog.fixture.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { toEntryText } from '../entry-json.ts';

const longMs = 10_000;

/** A catalog of that many entries whose first sweep took long. */
async function open(count: number) {
  const house = await openCatalogFolder();
  const drop = (id: string) => writeFileSync(house.path(`${id}.json`), toEntryText(toEntry({ id })));
  for (let i = 0; i < count; i += 1) drop(`n${i}`);
  const now = performance.now.bind(performance);
  let leapMs = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + leapMs);
  onTestFinished(() => spy.mockRestore());
  const { catalog } = house.open(
    { sweepEveryMs: 1e9 },
    {
      ...house.storage,
      // The first read of the store belongs to the first sweep: it looks for open journal rows.
      read(call, work) {
        leapMs ||= longMs;
        return house.storage.read(call, work);
      },
    },
  );
  const listed = async () => (await catalog.state(house.call())).count;
  expect(await listed()).toBe(count);
  return { drop, listed, rest: () => (leapMs += 2 * longMs * instructionLimits.sweepRestRatio) };
}

test('sweeps a small folder whenever it changes, however long the last sweep took', async () => {
  const count = instructionLimits.sweepAlwaysFilesCount;
  const { drop, listed } = await open(count);
  drop('new');
  expect(await listed()).toBe(count + 1);
});

test('sweeps a larger folder again only after several times the duration of the last sweep', async () => {
  const count = instructionLimits.sweepAlwaysFilesCount + 1;
  const { drop, listed, rest } = await open(count);
  drop('new');
  expect(await listed()).toBe(count);
  rest();
  expect(await listed()).toBe(count + 1);
});
