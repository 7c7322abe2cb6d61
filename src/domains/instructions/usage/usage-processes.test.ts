import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';

const script = fileURLToPath(new URL('./tracker.fixture.ts', import.meta.url));
const eachCount = 30;

/** The counts that a process received, one per use. */
async function track(at: string, tenant: string): Promise<readonly number[]> {
  const args = [...nodeFlags, script, at, tenant, String(eachCount)];
  const { stderr } = await promisify(execFile)(process.execPath, args);
  return stderr.trim().split('\n').map(Number);
}

const places = [
  [
    'SQLite',
    async () => {
      const place = await createSqliteTestStore();
      return { place, at: place.file };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const place = await createPostgresTestStore();
      return { place, at: place.url };
    },
  ],
] as const;

test.each(places)('[IN40] processes that track the same instruction on %s lose no use', async (_name, create) => {
  const { place, at } = await create();
  onTestFinished(() => place.remove());
  await (await place.open({ migrations })).close();
  const tenant = newTenant();
  const answers = await Promise.all([track(at, tenant), track(at, tenant), track(at, tenant)]);
  expect(answers.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: eachCount * 3 }, (_, i) => i + 1));
});
