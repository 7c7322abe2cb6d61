import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type KillReport, killRounds } from '#tests/support/survival/kill-rounds.ts';
import { makeFilesPlace, makeTablePlace } from '#tests/support/survival/places.ts';
import { truthMemory } from './truth-check.fixture.ts';

/** Full size: FOURFOLD_TEST_KILL_ROUNDS=200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 6);

const kinds = ['correct_entity', 'create_relationship', 'merge_entities', 'submit_payload', 'unmerge_entities'];

function expectHonest({ acknowledged, flaws }: KillReport): void {
  expect(flaws).toEqual([]);
  expect(acknowledged['submit_payload']).toBeGreaterThan(0);
  // A few rounds may not hit every kind of write.
  for (const kind of kinds) expect(acknowledged[kind] ?? 0, kind).toBeGreaterThanOrEqual(Math.floor(rounds / 20));
}

describe.concurrent(`kill -9 during writes to truth, ${rounds} rounds`, { timeout: 900_000 }, () => {
  it('leaves no payload without observations and no state that differs from a rebuild, in SQLite', async ({
    onTestFinished,
  }) => {
    expectHonest(await killRounds(makeFilesPlace(onTestFinished), truthMemory, rounds));
  });

  it('leaves no payload without observations and no state that differs from a rebuild, in PostgreSQL', async ({
    onTestFinished,
  }) => {
    expectHonest(await killRounds(await makeTablePlace(onTestFinished), truthMemory, rounds));
  });
});

/** Changes the store directly while no program runs. */
function harm(folder: string, statement: string): void {
  const db = new DatabaseSync(join(folder, 'home', 'fourfold.db'));
  db.exec(statement);
  db.close();
}

describe('negative control: the check detects', { timeout: 300_000 }, () => {
  it('an acknowledged payload that is missing', async ({ onTestFinished }) => {
    const { flaws } = await killRounds(makeFilesPlace(onTestFinished), truthMemory, 3, (round, promises) => {
      if (round !== 1) return;
      promises.ask(99, new Map([['never-made', 'self of ent_0']]));
      promises.acknowledge(99);
    });
    expect(flaws).toEqual(['never-made is nothing, not self of ent_0']);
  });

  /** The oldest one, which was acknowledged for certain. */
  const loseOne = (schema: string): string =>
    `delete from ${schema}truth_observations where observation_id in (
      select observation_id from ${schema}truth_observations where role = 'vendor_name' and fields like '%payload-%'
      order by created_at limit 1)`;

  function expectLost({ flaws }: KillReport): void {
    expect(flaws.join('\n')).toMatch(/counts \d+ of \d+ observations/);
    expect(flaws.join('\n')).toMatch(/^payload-\d+-\d+-\d+ is customer_name of \S+ \| self of \S+, not /m);
  }

  it('a missing observation of a payload, in SQLite', async ({ onTestFinished }) => {
    const place = makeFilesPlace(onTestFinished);
    expectLost(
      await killRounds(place, truthMemory, 4, (round) => {
        if (round === 2) harm(place.folder, loseOne(''));
      }),
    );
  });

  it('a missing observation of a payload, in PostgreSQL', async ({ onTestFinished }) => {
    const place = await makeTablePlace(onTestFinished);
    expectLost(
      await killRounds(place, truthMemory, 4, async (round) => {
        if (round === 2) await place.admin.query(loseOne('fourfold.'));
      }),
    );
  });

  it('a state that differs from its observations, and a payload without observations', async ({ onTestFinished }) => {
    const place = makeFilesPlace(onTestFinished);
    const { flaws } = await killRounds(place, truthMemory, 2, (round) => {
      if (round !== 1) return;
      harm(
        place.folder,
        `update truth_entities set last_recorded_at = last_recorded_at + 1 where entity_type = 'company';
        delete from truth_observations where source_id = (select payload_id from truth_payloads limit 1);`,
      );
    });
    expect(flaws.join('\n')).toContain('rebuild says');
    expect(flaws.join('\n')).toMatch(/has 0 observations/);
  });
});
