import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kernelTables } from '#migrations/0001-kernel.ts';
import { searchTables } from '#migrations/0002-search.ts';
import { localTenant, toTenantId } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import { createIds } from '../ids/ids.ts';
import { silentLog } from '../log/log.ts';
import type { Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import { defineCollection } from './collection.ts';
import { createTenantIndexes } from './keyword/index/tenant-index.ts';
import { createLocalLeases } from './leases.fixture.ts';
import { describeSearchContract } from './search.contract.ts';
import { createSearchIndex } from './search-index.ts';
import { cacheBytesFor, defaultTuning, searchLimits } from './search-limits.ts';
import { createStemmer } from './stemmer.ts';

function openStore(clock = createManualClock()) {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-search-'));
  const storages: Storage[] = [];
  onTestFinished(async () => {
    await Promise.all(storages.map((storage) => storage.close()));
    rmSync(folder, { recursive: true });
  });
  const openStorage = (): Storage => {
    const storage = openSqlite({
      file: join(folder, 'store.db'),
      migrations: [kernelTables, searchTables],
      clock,
      log: silentLog,
      auditKey: Buffer.alloc(32),
      rehearse: true,
    });
    storages.push(storage);
    return storage;
  };
  return { openStorage, clock };
}

describeSearchContract(async () => openStore().openStorage());

const notes = defineCollection({ name: 'notes', fields: { text: 1 } });

function openIndex(storage: Storage, clock: ReturnType<typeof createManualClock>) {
  const index = createSearchIndex({
    storage,
    leases: createLocalLeases(),
    clock,
    ids: createIds(clock),
    log: silentLog,
    tuning: { tailEntriesCount: 2, mergeWidthCount: 2, chunkBytes: 500 },
  });
  onTestFinished(() => index.close());
  const call = {
    tenant: localTenant,
    actor: 'tester',
    scopes: new Set<never>(),
    tool: 'test',
    audit: 'none' as const,
    signal: new AbortController().signal,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    progress() {},
  };
  const put = (...texts: string[]) =>
    storage.write(call, function* (db) {
      yield* index.put(db, notes, ...texts.map((text) => ({ id: text, fields: { text } })));
    });
  return { index, call, put };
}

test('two connections to one file see each other’s writes on the next search', async () => {
  const { openStorage, clock } = openStore();
  const one = openIndex(openStorage(), clock);
  const other = openIndex(openStorage(), clock);
  for (let i = 0; i < 12; i += 1) {
    const writer = i % 2 === 0 ? one : other;
    await writer.put(`note${i}`);
    const reader = i % 2 === 0 ? other : one;
    expect(
      (await reader.index.search(reader.call, notes, { text: `note${i}`, limit: 3, substring: false })).total,
    ).toBe(1);
    expect((await reader.index.search(reader.call, notes, { text: 'note*', limit: 3 })).total).toBe(i + 1);
  }
});

test('reads a tail longer than one read allows in several reads', async () => {
  const { openStorage, clock } = openStore();
  const storage = openStorage();
  const { index, call } = openIndex(storage, clock);
  const rowCount = searchLimits.tailPageCount * searchLimits.tailPagesCount * 2 + 7;
  const batchCount = 240;
  // Rows that were never merged, as another program would leave them.
  for (let from = 1; from <= rowCount; from += batchCount) {
    await storage.write(call, function* (db) {
      for (let seq = from; seq < Math.min(from + batchCount, rowCount + 1); seq += 1) {
        const entries = JSON.stringify([{ id: `note${seq}`, fields: { text: 'hook' } }]);
        yield* db.run(sql`
          insert into search_rows (tenant, collection, seq, entries) values (${db.tenant}, ${notes.name}, ${seq}, ${entries})`);
      }
    });
  }
  await storage.write(call, function* (db) {
    yield* db.run(sql`
      insert into search_heads (tenant, collection, seq, merged, generation)
      values (${db.tenant}, ${notes.name}, ${rowCount}, 0, 0)`);
  });
  expect((await index.search(call, notes, { text: 'hook', limit: 1 })).total).toBe(rowCount);
  await index.settle();
  expect((await index.search(call, notes, { text: 'hook', limit: 1 })).total).toBe(rowCount);
});

test('keeps a replaced segment for running searches and sweeps it later', async () => {
  const { openStorage, clock } = openStore();
  const storage = openStorage();
  const { index, call, put } = openIndex(storage, clock);
  const states = () =>
    storage.read(call, function* (db) {
      const segments = yield* db.all(
        sql<{ state: string }>`select state from search_segments where tenant = ${db.tenant} order by state`,
      );
      const chunks = yield* db.get(
        sql<{ n: number }>`select count(distinct segment) as n from search_chunks where tenant = ${db.tenant}`,
      );
      return { states: segments.map(({ state }) => state), segmentsWithChunks: chunks?.n };
    });
  await put('a', 'b');
  await index.maintain(localTenant, notes);
  await put('c', 'd');
  await index.maintain(localTenant, notes);
  await index.settle();
  expect(await states()).toEqual({ states: ['dropped', 'dropped', 'live'], segmentsWithChunks: 3 });
  clock.advance(searchLimits.droppedMs - 1);
  await index.maintain(localTenant, notes);
  expect((await states()).states).toEqual(['dropped', 'dropped', 'live']);
  clock.advance(1);
  await index.maintain(localTenant, notes);
  expect(await states()).toEqual({ states: ['live'], segmentsWithChunks: 1 });
});

test('sweeps a segment whose writer vanished after a while', async () => {
  const { openStorage, clock } = openStore();
  const storage = openStorage();
  const { index, call, put } = openIndex(storage, clock);
  await put('a');
  await storage.write(call, function* (db) {
    yield* db.run(sql`
      insert into search_segments (tenant, collection, id, state, docs, bytes, chunks, dead, at)
      values (${db.tenant}, ${notes.name}, 'left', 'building', 1, 10, 1, null, ${db.now})`);
    yield* db.run(sql`
      insert into search_chunks (tenant, segment, chunk, hash, bytes) values (${db.tenant}, 'left', 0, 'x', ${new Uint8Array(10)})`);
  });
  const left = () =>
    storage.read(call, function* (db) {
      return (yield* db.get(
        sql<{ n: number }>`select count(*) as n from search_chunks where tenant = ${db.tenant} and segment = 'left'`,
      ))?.n;
    });
  await index.maintain(localTenant, notes);
  expect(await left()).toBe(1);
  clock.advance(searchLimits.buildingMs);
  await index.maintain(localTenant, notes);
  expect(await left()).toBe(0);
});

test('keeps an eighth of the memory of the machine for indexes, within limits', () => {
  const gib = 2 ** 30;
  expect([0.5, 2, 64].map((size) => cacheBytesFor(size * gib) / gib)).toEqual([0.125, 0.25, 0.5]);
});

test('holds no more memory between searches than allowed', async () => {
  const { openStorage, clock } = openStore();
  const storage = openStorage();
  const { index, call, put } = openIndex(storage, clock);
  await put(...Array.from({ length: 50 }, (_, i) => `note${i}`));
  await index.settle();
  const cacheBytes = 2 * searchLimits.emptyIndexBytes;
  const indexes = createTenantIndexes({
    storage,
    stemOf: createStemmer(),
    tuning: { ...defaultTuning, cacheBytes },
    toCall: (tenant) => ({ ...call, tenant }),
  });
  await indexes.of(localTenant, notes).refresh();
  expect(indexes.byteCount()).toBeGreaterThan(searchLimits.emptyIndexBytes + 4_000);
  const others = [1, 2, 3].map((i) => toTenantId(`other${i}`));
  for (const tenant of others) await indexes.of(tenant, notes).refresh();
  expect(indexes.byteCount()).toBeGreaterThan(cacheBytes);
  indexes.evict();
  expect(indexes.byteCount()).toBe(cacheBytes);
  expect(indexes.of(others[2]!, notes)).toBe(indexes.of(others[2]!, notes));
});
