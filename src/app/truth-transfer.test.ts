import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderBlobs } from '#domains/truth/files/file-blobs.ts';
import { createTruthBase, createTruthFixture, invoice } from '#domains/truth/truth.fixture.ts';
import { localTenant } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { createTruthTransfer } from './truth-transfer.ts';

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'ff-truth-transfer-'));
  const clock = createManualClock();
  const file = join(folder, 'store.db');
  const store = openSqlite({ file, migrations, clock, log: silentLog, auditKey: Buffer.alloc(32) });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const commits: ('soon' | 'flushed' | 'empty')[] = [];
  /**
   * SQLite flushes a commit together with the pages it appends to the log, and does not flush a commit without pages.
   */
  async function logged<T>(commit: () => Promise<T>, kind: 'soon' | 'flushed'): Promise<T> {
    const bytesBefore = statSync(`${file}-wal`).size;
    const value = await commit();
    commits.push(statSync(`${file}-wal`).size > bytesBefore ? kind : 'empty');
    return value;
  }
  const storage: Storage = {
    ...store,
    write: (call, work) => logged(() => store.write(call, work), call.durability ?? 'flushed'),
    flush: (call) => logged(() => store.flush(call), 'flushed'),
  };
  const { payloads, schemas, as } = createTruthFixture(createTruthBase(storage, clock), {});
  const transfer = createTruthTransfer({
    clock,
    storage: { opened: async () => storage },
    fileBlobs: createFolderBlobs(join(folder, 'blobs')),
    truth: { payloads, schemas, records: { rebuildIndexes: async () => {} } as never },
  });
  const path = join(folder, 'in.jsonl');
  return {
    commits,
    async take(envelopes: readonly object[], dryRun = false): Promise<object> {
      await writeFile(path, envelopes.map((one) => `${JSON.stringify(one)}\n`).join(''));
      return transfer.import(path, dryRun, as(localTenant).call('truth_import'));
    },
  };
}

const some = [invoice(), invoice({ invoice_number: 'INV-002' }), invoice()];

test('an import of envelopes flushes once, at its end, before it reports the result', async () => {
  const { take, commits } = await open();
  expect(await take(some)).toMatchObject({ created: 2, duplicates: 1 });
  expect(commits).toEqual(['soon', 'flushed']);
});

test('flushes even if all envelopes were present, because they may not be on disk yet', async () => {
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
