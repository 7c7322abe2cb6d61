import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type KillReport, killRounds } from '#tests/support/survival/kill-rounds.ts';
import { makeFilesPlace, makeTablePlace } from '#tests/support/survival/places.ts';
import { createRememberedMemory } from './remembered-memory.fixture.ts';

/** `npm run test:campaign` runs 200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 6);

function expectHonest({ acknowledged, flaws }: KillReport): void {
  expect(flaws).toEqual([]);
  expect(acknowledged['remember']).toBeGreaterThan(rounds);
}

describe.concurrent(`kill -9 during remember, ${rounds} rounds`, { timeout: 1_800_000 }, () => {
  it('[CX17] keeps each acknowledged item once and knows it again, in SQLite', async ({ onTestFinished }) => {
    expectHonest(await killRounds(makeFilesPlace(onTestFinished), createRememberedMemory(), rounds));
  });

  it('[CX17] keeps each acknowledged item once and knows it again, in PostgreSQL', async ({ onTestFinished }) => {
    expectHonest(await killRounds(await makeTablePlace(onTestFinished), createRememberedMemory(), rounds));
  });
});

describe('negative control: the check detects', { timeout: 300_000 }, () => {
  /** Changes the store directly while no program runs. */
  function harm(folder: string, statement: string): void {
    const db = new DatabaseSync(join(folder, 'home', 'fourfold.db'));
    expect(db.prepare(statement).run().changes).toBe(1);
    db.close();
  }

  const harmed = async (place: ReturnType<typeof makeFilesPlace>, statement: string): Promise<string> => {
    const { flaws } = await killRounds(place, createRememberedMemory(), 4, (round) => {
      if (round === 2) harm(place.folder, statement);
    });
    return flaws.join('\n');
  };

  it('a note that is missing', async ({ onTestFinished }) => {
    // The oldest one is acknowledged; a newer one may be of a call that the kill interrupted.
    const some = `select cell_id from notebook_cells where content like '%at m%whiteboard' order by created_at limit 1`;
    const statement = `delete from notebook_cells where cell_id in (${some})`;
    const flaws = await harmed(makeFilesPlace(onTestFinished), statement);
    expect(flaws).toMatch(/^m\d+x\d+x\d+ is nothing, not note$/m);
  });

  it('a rule that is missing, in PostgreSQL', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    const { flaws } = await killRounds(place, createRememberedMemory(), 4, async (round) => {
      if (round !== 2) return;
      await place.admin.query(
        `delete from fourfold.instruction_proposals where id in (
          select id from fourfold.instruction_proposals where id like 'always-run-m%' limit 1)`,
      );
    });
    expect(flaws.join('\n')).toMatch(/^m\d+x\d+x\d+ is nothing, not rule$/m);
  });

  it('a text that is stored and not known any more', async ({ onTestFinished }) => {
    const flaws = await harmed(
      makeFilesPlace(onTestFinished),
      `delete from remembered_items where text_hash in (
        select text_hash from remembered_items where kind = 'fact' order by at desc limit 1)`,
    );
    expect(flaws).toContain('is stored and was answered');
  });
});
