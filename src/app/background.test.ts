import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '#config/load-settings.ts';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { checkpointName, searchMaintenanceName } from './background.ts';
import { compose } from './compose.ts';
import { auditKeyOf, storeFile } from './open-storage.ts';

/** The whole program on a folder whose store has a segment that a killed process left half written. */
async function openApp() {
  const home = mkdtempSync(join(tmpdir(), 'ff-background-'));
  const { settings } = loadSettings({
    argv: [],
    env: { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'silent' },
    cwd: home,
    platform: process.platform,
  });
  const app = compose(settings, 'stdio');
  onTestFinished(async () => {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  });
  const call = systemCall('planted', { tenant: localTenant, signal: new AbortController().signal });
  const longAgo = Date.now() - 2 * searchLimits.buildingMs;
  await app.storage.write(call, function* (db) {
    yield* db.run(sql`
      insert into search_segments (tenant, collection, id, state, docs, bytes, chunks, dead, at)
      values (${db.tenant}, 'instructions', 'left', 'building', 1, 10, 1, null, ${longAgo})`);
    yield* db.run(sql`
      insert into search_chunks (tenant, segment, chunk, hash, bytes) values (${db.tenant}, 'left', 0, 'x', ${new Uint8Array(10)})`);
  });
  app.background.start();
  const caller = { tenant: localTenant, actor: 'ada', scopes: new Set(['admin'] as const) };
  return {
    app,
    use: () => app.invoke({ name: 'instructions/categories', args: {}, caller }),
    left: () =>
      app.storage.read(call, function* (db) {
        return (yield* db.get(
          sql<{ n: number }>`select count(*) as n from search_chunks where tenant = ${db.tenant} and segment = 'left'`,
        ))?.n;
      }),
  };
}

test('removes search segments of a killed process in the background', async () => {
  const { app, use, left } = await openApp();
  await use();
  expect(await left()).toBe(1);
  await app.background.runNow(searchMaintenanceName);
  expect(await left()).toBe(0);
});

test('does not load the index of a memory that this process has not used', async () => {
  const { app, left } = await openApp();
  await app.background.runNow(searchMaintenanceName);
  expect(await left()).toBe(1);
});

test('covers rows that a killed process left without a checkpoint', async () => {
  const { app } = await openApp();
  const call = systemCall('test', { tenant: toTenantId('acme'), audit: 'row' });
  const write = (storage: Pick<Storage, 'write'>) => storage.write(call, (db) => db.changed('pad', 'p', 'create', 'h'));
  // Past the wrapper that records writes of this process, as a write of another process is.
  const other = openSqlite({
    file: storeFile(app.home),
    migrations,
    clock: app.clock,
    log: app.log,
    auditKey: auditKeyOf(app.keys()),
  });
  onTestFinished(() => other.close());
  await write(other);
  expect(await app.audit().verify(call)).toMatchObject({ rowsWithoutCheckpoint: 1 });
  await app.background.runNow(checkpointName);
  expect(await app.audit().verify(call)).toMatchObject({ rowsWithoutCheckpoint: 0 });
  await write(app.storage);
  await app.background.runNow(checkpointName);
  expect(await app.audit().verify(call)).toMatchObject({ checkpointSeq: 2, rowsWithoutCheckpoint: 0 });
});

test('throws for an unknown job', async () => {
  const { app } = await openApp();
  await expect(app.background.runNow('nothing')).rejects.toThrow('unknown job');
});
