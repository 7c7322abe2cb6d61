import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type KillReport, killRounds } from '#tests/support/survival/kill-rounds.ts';
import { makeFilesPlace, makeTablePlace } from '#tests/support/survival/places.ts';
import { truthMemory } from './truth-memory.ts';

/** The whole size: FOURFOLD_TEST_KILL_ROUNDS=200. */
const rounds = Number(process.env['FOURFOLD_TEST_KILL_ROUNDS'] ?? 6);

function expectHonest({ acknowledged, flaws }: KillReport): void {
  expect(flaws).toEqual([]);
  expect(acknowledged['submit_payload']).toBeGreaterThan(rounds);
  const others = Object.entries(acknowledged).filter(([tool]) => tool !== 'submit_payload');
  expect(others.length, JSON.stringify(acknowledged)).toBeGreaterThan(1);
}

describe.concurrent(`kill -9 among the writes of truth, ${rounds} rounds`, { timeout: 900_000 }, () => {
  it('leaves no payload without its observations and no state that differs from a rebuild, in a file', async ({
    onTestFinished,
  }) => {
    expectHonest(await killRounds(makeFilesPlace(onTestFinished), truthMemory, rounds));
  });

  it('leaves no payload without its observations and no state that differs from a rebuild, in PostgreSQL', async ({
    onTestFinished,
  }) => {
    expectHonest(await killRounds(await makeTablePlace(onTestFinished), truthMemory, rounds));
  });
});

/** Behind the back of the program, while none runs. */
function harm(folder: string, statement: string): void {
  const db = new DatabaseSync(join(folder, 'home', 'fourfold.db'));
  db.exec(statement);
  db.close();
}

describe('the rounds catch what is lost', { timeout: 300_000 }, () => {
  it('when a payload was acknowledged that was never there', async ({ onTestFinished }) => {
    const { flaws } = await killRounds(makeFilesPlace(onTestFinished), truthMemory, 3, (round, promises) => {
      if (round !== 1) return;
      promises.ask(99, new Map([['never-made', 'self of ent_0']]));
      promises.acknowledge(99);
    });
    expect(flaws).toEqual(['never-made is nothing, not self of ent_0']);
  });

  it('when one observation of a payload goes away', async ({ onTestFinished }) => {
    const place = makeFilesPlace(onTestFinished);
    const { flaws } = await killRounds(place, truthMemory, 4, (round) => {
      if (round !== 2) return;
      harm(
        place.folder,
        `delete from truth_observations where observation_id in (
          select observation_id from truth_observations where role = 'vendor_name' and fields like '%payload-%' limit 1)`,
      );
    });
    expect(flaws.join('\n')).toMatch(/counts \d+ of \d+ observations/);
    expect(flaws.join('\n')).toMatch(/^payload-\d+-\d+-\d+ is customer_name of \S+ \| self of \S+, not /m);
  });

  it('when a state differs from what its observations make, and when a payload has no observations', async ({
    onTestFinished,
  }) => {
    const place = makeFilesPlace(onTestFinished);
    const { flaws } = await killRounds(place, truthMemory, 2, (round) => {
      if (round !== 1) return;
      harm(
        place.folder,
        `update truth_entities set last_recorded_at = last_recorded_at + 1 where canonical_name = 'customer 0' or entity_type = 'company';
        insert into truth_payloads select tenant, 'barren', 'payload_0', 'sub_0', capability_id, primary_type, entity_id,
          extracted_at, extractor_version, agent_id, client_request_id, created_at, source_refs, file_urls, body
        from truth_payloads limit 1;`,
      );
    });
    expect(flaws.join('\n')).toContain('rebuild says');
    expect(flaws.join('\n')).toContain('barren has 0 observations');
  });
});
