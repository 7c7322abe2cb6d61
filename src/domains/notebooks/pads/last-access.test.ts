import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createLogFixture, silentLog } from '#kernel/log/log.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { createLastAccess } from './last-access.ts';

const tenant = toTenantId('one');

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'ff-access-'));
  const clock = createManualClock();
  const file = join(folder, 'store.db');
  const storage = openSqlite({ file, migrations, clock, log: silentLog, auditKey: Buffer.from('key') });
  onTestFinished(async () => {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  const writes: string[] = [];
  const counted: typeof storage = {
    ...storage,
    write(call, work) {
      writes.push(call.tool);
      return storage.write(call, work);
    },
  };
  const log = createLogFixture();
  const access = createLastAccess({ storage: counted, clock, log });
  return { storage, access, writes, log };
}

test('[NB21] writes many reads of many pads in few writes, one at a time', async () => {
  const { access, writes } = await open();
  for (let i = 0; i < 3 * notebookLimits.accessNotesCount; i += 1) access.note(tenant, `p${i}`);
  expect(writes).toHaveLength(1);
  await access.close();
  expect(writes).toHaveLength(2);
  expect(access.pending(tenant)).toEqual([]);
});

test('[NB21] writes nothing without notes', async () => {
  const { access, writes } = await open();
  await access.close();
  expect(writes).toEqual([]);
});

test('[NB21] logs a failed write and retries only by timer', async () => {
  const { access, storage, writes, log } = await open();
  await storage.close();
  for (let i = 0; i < notebookLimits.accessNotesCount; i += 1) access.note(tenant, `p${i}`);
  await access.flush().catch(() => {});
  expect(writes).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < notebookLimits.accessNotesCount; i += 1) access.note(tenant, `q${i}`);
  expect(writes).toHaveLength(1);
  expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
});
