import { afterAll, describe, expect, test } from 'vitest';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { type TenantId, toTenantId } from '../../../call.ts';
import { systemCall } from '../../../jobs/system-call.ts';
import type { Storage } from '../../../storage/port.ts';
import { sql } from '../../../storage/sql.ts';
import { defineCollection } from '../../collection.ts';
import { watchReads } from '../../contract/search-index.fixture.ts';
import { searchLimits } from '../../search-limits.ts';
import { createVectorIndex } from './vector-index.ts';

const stars = defineCollection({ name: 'stars', fields: { text: 1 } });
const place = await createSqliteTestStore();
const storage = await place.open();
let tenantCount = 0;

afterAll(async () => {
  await storage.close();
  await place.remove();
});

const row = (id: string, x: number, y: number, model = 'm') => ({
  id,
  model,
  textHash: '',
  vectors: [Float32Array.of(x, y)],
});

function plant(cacheBytes?: number) {
  tenantCount += 1;
  const tenant = toTenantId(`tenant-${tenantCount}`);
  const open = (store: Storage = storage) =>
    createVectorIndex({
      storage: store,
      toCall: (of: TenantId) => systemCall('test', { tenant: of }),
      ...(cacheBytes === undefined ? {} : { cacheBytes }),
    });
  const index = open();
  const call = systemCall('test', { tenant });
  const find = async (by = index, model = 'm', of = call) =>
    (await by.nearest(of, stars, { model, vector: Float32Array.of(1, 0), limit: 9 })).hits.map(({ id }) => id);
  const put = (...rows: ReturnType<typeof row>[]) => storage.write(call, (db) => index.put(db, stars, rows));
  const remove = (...ids: string[]) =>
    storage.write(call, function* (db) {
      yield* index.remove(db, stars, ids);
    });
  return { tenant, call, index, open, find, put, remove };
}

describe('vectors in the store', () => {
  test('sees every change of another process, and reads only what is new', async () => {
    const { open, find, put, remove } = plant();
    const counts: number[] = [];
    const other = open(watchReads(storage, 'meaning_vectors', (count) => counts.push(count)));
    await put(row('a', 1, 0), row('b', 0, 1), row('c', 1, 1));
    expect(await find(other)).toEqual(['a', 'c', 'b']);
    await put(row('b', 1, 0.1));
    await remove('a');
    expect(await find(other)).toEqual(['b', 'c']);
    expect(await find(other)).toEqual(['b', 'c']);
    expect(counts).toEqual([3, 1]);
  });

  test('never compares vectors of another model', async () => {
    const { find, put, index } = plant();
    await put(row('a', 1, 0), row('b', 1, 0, 'other'));
    expect(await find()).toEqual(['a']);
    expect(await find(index, 'other')).toEqual(['b']);
    await put(row('a', 1, 0, 'other'));
    expect(await find()).toEqual([]);
  });

  test('reads several pages completely, and misses none of many swept deletions', async () => {
    const { find, put, remove, open, call, index } = plant();
    const old = open();
    const count = searchLimits.vectorPageCount + 7;
    for (let at = 0; at < count; at += 200) {
      await put(...Array.from({ length: Math.min(200, count - at) }, (_, i) => row(`d${at + i}`, 1, (at + i) / 100)));
    }
    const query = { model: 'm', vector: Float32Array.of(1, 0), limit: 1_000 };
    const { hits, has } = await index.nearest(call, stars, query);
    expect(hits).toHaveLength(count);
    expect([has('d0'), has(`d${count}`)]).toEqual([true, false]);
    expect(await find(old)).toHaveLength(9);
    await remove(...Array.from({ length: count - 2 }, (_, i) => `d${i + 2}`));
    // Like the sweep: the records are deleted, and the head says up to where.
    await storage.write(call, function* (db) {
      yield* db.run(sql`delete from meaning_gone where tenant = ${db.tenant}`);
      yield* db.run(sql`update meaning_heads set swept = seq where tenant = ${db.tenant}`);
    });
    expect(await find(old)).toEqual(['d0', 'd1']);
  });

  test('reads everything again after the store was restored', async () => {
    const { find, put, call } = plant();
    await put(row('a', 1, 0));
    await put(row('b', 1, 0));
    expect(await find()).toEqual(['a', 'b']);
    await storage.write(call, function* (db) {
      yield* db.run(sql`delete from meaning_vectors where tenant = ${db.tenant} and id = 'b'`);
      yield* db.run(sql`update meaning_heads set seq = 1 where tenant = ${db.tenant}`);
    });
    expect(await find()).toEqual(['a']);
  });

  test('damaged bytes hide only their document', async () => {
    const { find, put, call } = plant();
    await put(row('a', 1, 0), row('b', 1, 0));
    await storage.write(call, function* (db) {
      yield* db.run(
        sql`update meaning_vectors set bytes = ${new Uint8Array(3)} where tenant = ${db.tenant} and id = 'b'`,
      );
    });
    expect(await find()).toEqual(['a']);
  });

  test('evicts the least recently used set and reads it again on demand', async () => {
    const one = plant(searchLimits.vectorBlockBytes + 2_000);
    const other = plant();
    await one.put(row('a', 1, 0));
    await other.put(row('b', 1, 0));
    expect(await one.find()).toEqual(['a']);
    const alone = one.index.byteCount();
    expect(await one.find(one.index, 'm', other.call)).toEqual(['b']);
    expect(one.index.byteCount()).toBe(alone);
    expect(await one.find()).toEqual(['a']);
  });

  test('concurrent queries that do not fit into memory together all succeed', async () => {
    const tenants = Array.from({ length: 6 }, () => plant(1));
    await Promise.all(tenants.map(({ put }, i) => put(row(`d${i}`, 1, 0))));
    const [first] = tenants;
    const asked = Array.from({ length: 60 }, (_, i) => first!.find(first!.index, 'm', tenants[i % 6]!.call));
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 60 }, (_, i) => [`d${i % 6}`]));
  });

  test('rejects a query that is not a vector', async () => {
    const { index, call } = plant();
    const ask = (vector: Float32Array) => index.nearest(call, stars, { model: 'm', vector, limit: 1 });
    await expect(ask(new Float32Array(2))).rejects.toThrow('no direction');
    await expect(ask(new Float32Array(0))).rejects.toThrow('1 to');
    await expect(ask(new Float32Array(searchLimits.vectorNumbersCount + 1).fill(1))).rejects.toThrow('1 to');
  });

  test('a removal without yield* fails its transaction', async () => {
    const { index, call } = plant();
    // biome-ignore lint/correctness/useYield: that it is missing is what is tested.
    const forgotten = storage.write(call, function* (db) {
      index.remove(db, stars, ['a']);
    });
    await expect(forgotten).rejects.toThrow('never yielded');
  });
});
