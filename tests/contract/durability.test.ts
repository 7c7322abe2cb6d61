import { describe, expect, test } from 'vitest';
import type { TenantId } from '#kernel/call.ts';
import { startChild } from './children/child.ts';
import { openStore } from './children/open-store.ts';
import { createCall, newTenant } from './storage/call.ts';
import { createPostgresTestStore } from './storage/postgres-engine.ts';
import { createSqliteTestStore } from './storage/sqlite-engine.ts';
import { listIds } from './storage/tables.ts';

/** Kills a process while it writes, and returns the ids that it acknowledged. */
async function killWhileWriting(
  at: string,
  tenant: TenantId,
  round: number,
  mode: 'honest' | 'early',
): Promise<readonly string[]> {
  const child = startChild(
    new URL('./children/acknowledging-writer.ts', import.meta.url),
    at,
    tenant,
    String(round),
    mode,
  );
  const acknowledged: string[] = [];
  const killAfterCount = 1 + Math.floor(Math.random() * 60);
  for await (const id of child.lines) {
    acknowledged.push(id);
    if (acknowledged.length === killAfterCount) child.kill();
  }
  expect(await child.ended()).toBeNull();
  return acknowledged;
}

/** Acknowledged ids that are missing in the store. */
async function lost(at: string, tenant: TenantId, acknowledged: readonly string[]): Promise<readonly string[]> {
  const storage = await openStore(at);
  const rows = await storage.read(createCall(tenant), function* (db) {
    return yield* listIds(db);
  });
  await storage.close();
  const kept = new Set(rows.map((row) => row.id));
  return acknowledged.filter((id) => !kept.has(id));
}

async function countLost(at: string, roundCount: number, mode: 'honest' | 'early') {
  const tenant = newTenant();
  await (await openStore(at)).close();
  const acknowledged: string[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    acknowledged.push(...(await killWhileWriting(at, tenant, round, mode)));
  }
  return { acknowledgedCount: acknowledged.length, lost: await lost(at, tenant, acknowledged) };
}

describe('a process that is killed while it writes', () => {
  test('loses nothing that it acknowledged, on SQLite', async () => {
    const testStore = await createSqliteTestStore();
    const found = await countLost(testStore.file, 20, 'honest');
    expect(found.lost).toEqual([]);
    expect(found.acknowledgedCount).toBeGreaterThanOrEqual(20);
    await testStore.remove();
  });

  test('loses nothing that it acknowledged, on PostgreSQL', async () => {
    const testStore = await createPostgresTestStore();
    const found = await countLost(testStore.url, 5, 'honest');
    expect(found.lost).toEqual([]);
    expect(found.acknowledgedCount).toBeGreaterThanOrEqual(5);
    await testStore.remove();
  });

  test('negative control: is caught when it acknowledges before the commit', async () => {
    const testStore = await createSqliteTestStore();
    const found = await countLost(testStore.file, 2, 'early');
    expect(found.lost.length).toBeGreaterThan(0);
    await testStore.remove();
  });
});
