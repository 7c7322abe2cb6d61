import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type KillReport, killRounds } from '#tests/support/survival/kill-rounds.ts';
import { catalogMemory } from './catalog-memory.fixture.ts';
import { makeFilesPlace, makeTablePlace } from './places.fixture.ts';

/** `npm run test:campaign` runs 200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 40);
const kinds = ['add', 'governanceUpdate', 'import', 'remove', 'restore'].map((action) => `instructions/${action}`);

function expectHonest({ acknowledged, flaws }: KillReport): void {
  expect(flaws).toEqual([]);
  expect(Object.keys(acknowledged).toSorted()).toEqual(kinds);
  for (const kind of kinds) expect(acknowledged[kind], kind).toBeGreaterThan(rounds / 4);
}

describe.concurrent(`kill -9 during catalog writes, ${rounds} rounds`, { timeout: 900_000 }, () => {
  it('loses no acknowledged write and leaves nothing half done, with files', async ({ onTestFinished }) => {
    expectHonest(await killRounds(makeFilesPlace(onTestFinished), catalogMemory, rounds));
  });

  it('loses no acknowledged write and leaves nothing half done, with PostgreSQL', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    expectHonest(await killRounds(place, catalogMemory, rounds));
    expect(readdirSync(place.folder)).not.toContain('instructions');
  });
});

describe('negative control: the rounds detect a lost write', () => {
  it('when a file is deleted outside the program', async ({ onTestFinished }) => {
    const place = makeFilesPlace(onTestFinished);
    const { flaws } = await killRounds(place, catalogMemory, 20, (round, { certain: [id] }) => {
      if (round >= 3 && id !== undefined) rmSync(join(place.entries, `${id}.json`), { force: true });
    });
    expect(flaws.join()).toMatch(/is nothing, not Kept step/);
  });

  it('when a row is deleted outside the program', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    const { flaws } = await killRounds(place, catalogMemory, 20, async (round, { certain: [id] }) => {
      if (round >= 3) await place.admin.query('delete from fourfold.instructions where id = $1', [id]);
    });
    expect(flaws.join()).toMatch(/is nothing, not Kept step/);
  });

  it('when a write was acknowledged but never made', async ({ onTestFinished }) => {
    const { flaws } = await killRounds(makeFilesPlace(onTestFinished), catalogMemory, 3, (round, promises) => {
      if (round !== 1) return;
      promises.ask(99, new Map([['never-made', { body: 'x', owner: 'x' }]]));
      promises.acknowledge(99);
    });
    expect(flaws).toContain('never-made is nothing, not x of x');
  });
});
