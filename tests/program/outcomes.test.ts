import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCrashServer } from '#tests/support/postgres/crash-server.ts';
import { makeFolder } from '#tests/support/program.ts';
import type { Conversation, Json } from '#tests/support/survival/conversation.ts';
import { outcomeRounds, startOutcomeProgram } from '#tests/support/survival/outcome-rounds.ts';

/** `npm run test:campaign` runs many rounds; the ordinary run a small sample. */
const isCampaign = process.env['FOURFOLD_TEST_CAMPAIGN'] === '1';
const rounds = isCampaign ? 50 : 3;
const timeout = isCampaign ? 1_800_000 : 180_000;

describe('every answer to a write matches the store', () => {
  it('while PostgreSQL crashes and restarts under load', { timeout }, async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const server = await startCrashServer();
    onTestFinished(() => server.remove());
    const program = await startOutcomeProgram({
      FOURFOLD_HOME: join(folder, 'home'),
      FOURFOLD_DATABASE_URL: server.url,
    });
    const failure = {
      begin: () => server.crash(),
      end: () => server.restart(),
    };
    const report = await outcomeRounds(program, failure, rounds, 1);
    await program.conversation.end();
    expect(report.lies).toEqual([]);
    expect(report.counts.stored).toBeGreaterThan(rounds * 5);
    expect(report.counts.failed + report.counts.unknown).toBeGreaterThan(0);
  });

  it.runIf(process.platform === 'linux')(
    'while the disk under SQLite begins to fail and recovers',
    { timeout },
    async () => {
      const { folder, remove } = makeFolder();
      onTestFinished(remove);
      const home = join(folder, 'home');
      const program = await startOutcomeProgram({ FOURFOLD_HOME: home });
      /** Writes beyond this size fail, in the middle of a commit or of a checkpoint. */
      const limitFiles = (bytes: number | 'unlimited') => {
        const { status } = spawnSync('prlimit', ['--pid', String(program.pid), `--fsize=${bytes}:unlimited`]);
        expect(status).toBe(0);
      };
      const report = await outcomeRounds(
        program,
        {
          async begin(dice) {
            const sizes = ['', '-wal'].map((end) =>
              statSync(join(home, `fourfold.db${end}`), { throwIfNoEntry: false }),
            );
            const largest = Math.max(...sizes.map((stat) => stat?.size ?? 0));
            limitFiles(dice.below(3) === 0 ? dice.below(largest) : largest + dice.below(200_000));
            await pause(50 + dice.below(300));
          },
          async end() {
            limitFiles('unlimited');
          },
        },
        rounds,
        2,
      );
      await program.conversation.end();
      expect(report.lies).toEqual([]);
      expect(report.counts.stored).toBeGreaterThan(rounds * 5);
      expect(report.counts.failed + report.counts.unknown).toBeGreaterThan(0);
    },
  );

  it('negative control: reports a server that stores a write and answers with a failure', async () => {
    const stored = new Set<unknown>();
    let answered = 0;
    /** Stores everything, and says so except once. */
    const liar = {
      async request(_method: string, params: Json) {
        await pause(1);
        const { name, arguments: args } = params as { name: string; arguments: Json };
        const thing =
          (args['entry'] as Json | undefined)?.['id'] ?? args['id'] ?? args['scratch_id'] ?? args['library'];
        const key = thing ?? args['type'];
        if (/get|read|list|retrieve/.test(name)) {
          const isThere = stored.has(key);
          const found = { item: {}, scratchpad: {}, libraries: [{}], total: 1 };
          return { result: { structuredContent: isThere ? found : { libraries: [], total: 0 } } };
        }
        stored.add(key);
        answered += 1;
        if (answered !== 4) return { result: { structuredContent: {} } };
        return { result: { isError: true, structuredContent: { code: 'STORE_UNAVAILABLE' } } };
      },
      notify() {},
      said: () => '',
      kill: async () => {},
      end: async () => 0,
    };
    const program = { pid: 0, conversation: liar as unknown as Conversation };
    const report = await outcomeRounds(program, { begin: async () => {}, end: async () => {} }, 1, 3);
    expect(report.lies).toHaveLength(1);
    expect(report.lies[0]).toContain('STORE_UNAVAILABLE');
  });
});
