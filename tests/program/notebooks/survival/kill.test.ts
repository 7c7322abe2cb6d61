import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type KillReport, killRounds } from '#tests/support/survival/kill-rounds.ts';
import {
  type OnFinished,
  makeFilesPlace as toFilesPlace,
  makeTablePlace as toTablePlace,
} from '#tests/support/survival/places.ts';
import { quietEnv } from '../notebook-program.ts';
import { padsMemory } from './pads-memory.ts';

const makeFilesPlace = (onFinished: OnFinished) => toFilesPlace(onFinished, () => quietEnv);
const makeTablePlace = (onFinished: OnFinished) => toTablePlace(onFinished, () => quietEnv);

/** `npm run test:campaign` runs 200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 20);
const kinds = ['append_cell', 'create', 'delete', 'move_cell', 'namespace_rename', 'replace_cell', 'upsert_schema'].map(
  (name) => `scratch_${name}`,
);

function expectHonest({ acknowledged, flaws }: KillReport): void {
  expect(flaws).toEqual([]);
  expect(Object.keys(acknowledged).toSorted()).toEqual(kinds);
  for (const kind of kinds) expect(acknowledged[kind], kind).toBeGreaterThan(rounds / 8);
}

describe.concurrent(`kill -9 during writes of scratchpads, ${rounds} rounds`, { timeout: 900_000 }, () => {
  it('loses no acknowledged cell and leaves no partial write, on SQLite', async ({ onTestFinished }) => {
    expectHonest(await killRounds(makeFilesPlace(onTestFinished), padsMemory, rounds));
  });

  it('loses no acknowledged cell and leaves no partial write, on PostgreSQL', async ({ onTestFinished }) => {
    expectHonest(await killRounds(await makeTablePlace(onTestFinished), padsMemory, rounds));
  });
});

describe('the check detects a lost write', () => {
  it('when an acknowledged write never happened', async ({ onTestFinished }) => {
    const { flaws } = await killRounds(makeFilesPlace(onTestFinished), padsMemory, 3, (round, promises) => {
      if (round !== 1) return;
      const never = { namespace: 'x', revision: 1, tags: [], cells: [], schemas: {} };
      promises.ask(99, new Map([['never-made', never]]));
      promises.acknowledge(99);
    });
    expect(flaws).toContainEqual(expect.stringMatching(/^never-made is nothing, not \{"namespace":"x"/));
  });

  /** Only cells of existing pads. */
  const loseCells = (schema: string): string =>
    `delete from ${schema}notebook_cells where cell_id in (select c.cell_id from ${schema}notebook_cells c
     join ${schema}notebook_pads p on p.pad_key = c.pad_key limit 3)`;

  it('when cells are deleted in the store, on SQLite', async ({ onTestFinished }) => {
    const place = makeFilesPlace(onTestFinished);
    const { flaws } = await killRounds(place, padsMemory, 20, (round) => {
      if (round < 3) return;
      const db = new DatabaseSync(join(place.folder, 'home', 'fourfold.db'));
      db.exec(loseCells(''));
      db.close();
    });
    expect(flaws.join()).toMatch(/counts \d+ of \d+ cells/);
  });

  it('when cells are deleted in the store, on PostgreSQL', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    const { flaws } = await killRounds(place, padsMemory, 20, async (round) => {
      if (round >= 3) await place.admin.query(loseCells('fourfold.'));
    });
    expect(flaws.join()).toMatch(/counts \d+ of \d+ cells/);
  });

  it('when a copy is deleted from the trash', async ({ onTestFinished }) => {
    const place = makeFilesPlace(onTestFinished);
    const { flaws } = await killRounds(place, padsMemory, 10, (round) => {
      if (round !== 9) return;
      const db = new DatabaseSync(join(place.folder, 'home', 'fourfold.db'));
      db.exec(`delete from trash where rowid in (select rowid from trash where id like 'lane-%' limit 1)`);
      db.close();
    });
    expect(flaws).toContainEqual(expect.stringMatching(/^the trash: .*, not /));
    // It is random whether its newest copy is restored; nothing else is wrong.
    expect(flaws.filter((flaw) => !/^the trash: | does not come back: /.test(flaw))).toEqual([]);
  });

  it('when the cells of a pad in the trash are deleted', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    const gone =
      'delete from fourfold.notebook_cells where pad_key not in (select pad_key from fourfold.notebook_pads)';
    const { flaws } = await killRounds(place, padsMemory, 10, async (round) => {
      if (round === 9) await place.admin.query(gone);
    });
    expect(flaws.join()).toMatch(/back-lane-\d-\d counts [1-9]\d* of 0 cells/);
  });

  it('when only derived data is deleted', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    const { flaws } = await killRounds(place, padsMemory, 6, async (round) => {
      if (round === 5) await place.admin.query('update fourfold.notebook_totals set cells_count = cells_count + 1');
    });
    expect(flaws).toEqual([expect.stringMatching(/^cells in all: \d+, not \d+$/)]);
  });
});
