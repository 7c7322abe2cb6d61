import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { invoice, createTruthBase, createTruthFixture } from '#domains/truth/truth.fixture.ts';
import { localTenant } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openSqlite } from '#kernel/storage/sqlite/open-sqlite.ts';
import { migrations } from '#migrations/all.ts';
import { createBulkTruth } from './bulk-truth.ts';

/** The real store, with its commits in order. */
async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'ff-bulk-truth-'));
  const clock = createManualClock();
  const file = join(folder, 'store.db');
  const store = openSqlite({ file, migrations, clock, log: silentLog, auditKey: Buffer.alloc(32) });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const commits: ('soon' | 'flushed' | 'empty')[] = [];
  const storage: Storage = {
    ...store,
    async write(call, work) {
      const bytesBefore = statSync(`${file}-wal`).size;
      const value = await store.write(call, work);
      // SQLite flushes a commit together with what it appends to its log. One that appends nothing is not flushed.
      const hasGrown = statSync(`${file}-wal`).size > bytesBefore;
      commits.push(hasGrown ? (call.durability ?? 'flushed') : 'empty');
      return value;
    },
  };
  const { payloads, capabilities, schemas, invoke } = createTruthFixture(createTruthBase(storage, clock), {});
  const bulk = createBulkTruth(
    {
      ...{ invoke, clock, version: '0.0.0' },
      permits: { mutation: true, readOnly: false },
      storage: { opened: async () => storage },
      truth: async () => ({ payloads, capabilities, schemas, records: { rederive: async () => {} } as never }),
    },
    { tenant: localTenant, actor: 'ada', scopes: new Set(['admin']) },
  );
  const path = join(folder, 'in.jsonl');
  return {
    commits,
    async take(envelopes: readonly object[], dryRun = false): Promise<object> {
      await writeFile(path, envelopes.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const run = { signal: undefined, progress() {} };
      return (await bulk.import({ paths: [path], dryRun, tenant: localTenant }, run)).files[0]!;
    },
  };
}

const some = [invoice(), invoice({ invoice_number: 'INV-002' }), invoice()];

test('an import of envelopes waits for the disk once, at its end, before it tells what came in', async () => {
  const { take, commits } = await open();
  expect(await take(some)).toMatchObject({ created: 2, duplicates: 1 });
  expect(commits).toEqual(['soon', 'flushed']);
});

test('it waits for the disk also when all of it was there before: nobody knows whether that had come so far', async () => {
  const { take, commits } = await open();
  await take(some);
  expect(await take(some)).toMatchObject({ created: 0, duplicates: 3 });
  expect(commits.slice(2)).toEqual(['empty', 'flushed']);
});

test('a dry run writes nothing', async () => {
  const { take, commits } = await open();
  expect(await take(some, true)).toMatchObject({ created: 3, refused: 0 });
  expect(commits).toEqual([]);
});
