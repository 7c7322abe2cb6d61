import { expect, test } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createLimiter } from '#kernel/limiter/limiter.ts';
import { limits } from '#kernel/limits.ts';
import { listEmbeddedCounts } from '#kernel/search/semantic/semantic-store.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { recordTopic } from '../truth-vocabulary.ts';
import { countProperties, findRecord, updateRecord } from './record-store.ts';
import { describeRecords } from './records.fixture.ts';

function* countsOf(db: Reader): Work<readonly unknown[]> {
  return yield* listEmbeddedCounts(db);
}

const unknownId = '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11';

describeRecords('[TR24] records', (engine) => {
  const open = () => {
    const fixture = engine.open();
    return { fixture, ...fixture.as(engine.newTenant()) };
  };

  test('returns a record as stored, with an id and times', async () => {
    const { store, retrieve } = open();
    const given = {
      type: 'transaction',
      properties: { amount: 100, list: [1, { a: null }] },
      file_urls: ['file:///a'],
    };
    const stored = await store(given);
    expect(stored).toEqual({
      ...given,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: stored.created_at,
    });
    expect(await retrieve({ type: 'transaction' })).toEqual({ records: [stored], total: 1 });
  });

  test('an update merges properties at the top level and replaces other fields', async () => {
    const { fixture, store, update, retrieve } = open();
    const { id, created_at } = await store({
      type: 'a',
      properties: { x: 1, deep: { p: 1, q: 2 } },
      file_urls: ['one'],
    });
    fixture.clock.advance(1_000);
    const merged = await update({ id, properties: { deep: { p: 3 }, y: null } });
    expect(merged).toMatchObject({ properties: { x: 1, deep: { p: 3 }, y: null }, type: 'a', file_urls: ['one'] });
    expect(merged.created_at).toBe(created_at);
    expect(Date.parse(merged.updated_at) - Date.parse(created_at)).toBe(1_000);
    await update({ id, type: 'b', file_urls: [] });
    expect(await retrieve({ type: 'a' })).toEqual({ records: [], total: 0 });
    expect((await retrieve({ type: 'b' })).records).toEqual([
      expect.objectContaining({ id, type: 'b', file_urls: [], properties: merged.properties }),
    ]);
  });

  test('a deleted record disappears immediately and is restored completely, including its indexes', async () => {
    const { fixture, store, retrieve, find, remove, restore, ask, callOf } = open();
    const record = await store({ type: 'note', properties: { title: 'Zanzibar', tag: 'x' }, embedding: [1, 2, 3] });
    const ways = [
      {},
      { type: 'note' },
      { properties: { tag: 'x' } },
      { search: ['zanzibar'], search_mode: 'keyword' },
      { query_embedding: [1, 2, 3] },
    ];
    for (const way of ways) expect(await find(way)).toEqual([record.id]);
    const embeddedCounts = () => fixture.storage.read(callOf(), (db) => countsOf(db));
    expect(await embeddedCounts()).toHaveLength(1);
    expect(await remove(record.id)).toEqual({
      success: true,
      deleted_id: record.id,
      restore: { tool: 'restore_record', arguments: { id: record.id } },
    });
    expect(await embeddedCounts()).toEqual([]);
    for (const way of ways) expect(await retrieve(way)).toMatchObject({ records: [], total: 0 });
    for (const tool of ['delete_record', 'update_record']) {
      const answer = await ask(tool, { id: record.id, ...(tool === 'update_record' && { type: 'z' }) });
      expect(answer.error?.code).toBe('RECORD_NOT_FOUND');
    }
    expect(await restore(record.id)).toEqual(record);
    for (const way of ways) expect(await find(way)).toEqual([record.id]);
    expect(await restore(record.id)).toEqual(record);
    expect(await retrieve({ type: 'note' })).toMatchObject({ total: 1 });
  });

  test('does not restore a record after the trash retention', async () => {
    const { fixture, store, remove, ask } = open();
    const { id } = await store({ type: 'note', properties: {} });
    await remove(id);
    fixture.clock.advance(limits.trashDays * 86_400_000 + 1);
    expect((await ask('restore_record', { id })).error?.code).toBe('RECORD_NOT_FOUND');
  });

  test('answers RECORD_NOT_FOUND for an unknown id of any form', async () => {
    const { ask } = open();
    for (const id of [unknownId, 'x', '../..', "' or 1=1"]) {
      expect((await ask('update_record', { id, type: 'a' })).error?.code).toBe('RECORD_NOT_FOUND');
      expect((await ask('delete_record', { id })).error?.code).toBe('RECORD_NOT_FOUND');
      expect((await ask('restore_record', { id })).error?.code).toBe('RECORD_NOT_FOUND');
    }
  });

  test('[TR28] hides records from other tenants for reading, changing and restoring', async () => {
    const { fixture, store, remove, find, retrieve } = open();
    const stranger = fixture.as(engine.newTenant());
    const { id } = await store({ type: 'secret', properties: { word: 'xylophone' }, embedding: [1, 0] });
    const ways = [{}, { type: 'secret' }, { properties: { word: 'xylophone' } }, { search: ['xylophone'] }];
    for (const way of ways) expect(await stranger.retrieve(way)).toMatchObject({ records: [], total: 0 });
    expect(await stranger.retrieve({ query_embedding: [1, 0] })).toMatchObject({ records: [], total: 0 });
    for (const [tool, args] of [
      ['update_record', { id, type: 'b' }],
      ['delete_record', { id }],
      ['restore_record', { id }],
    ] as const) {
      expect((await stranger.ask(tool, args)).error?.code).toBe('RECORD_NOT_FOUND');
    }
    expect(await find({ type: 'secret' })).toEqual([id]);
    await remove(id);
    expect((await stranger.ask('restore_record', { id })).error?.code).toBe('RECORD_NOT_FOUND');
    expect(await retrieve({})).toMatchObject({ total: 0 });
  });

  test('rejects invalid input without a change', async () => {
    const { store, retrieve, ask } = open();
    const { id } = await store({ type: 'a', properties: { x: 1 }, embedding: [1, 2] });
    const before = await retrieve({});
    const deep = JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`);
    const much = { text: 'x'.repeat(truthLimits.propertiesBytes) };
    const many = Object.fromEntries(Array.from({ length: truthLimits.propertiesCount + 1 }, (_, i) => [`p${i}`, i]));
    const flawed: readonly Record<string, unknown>[] = [
      { type: '' },
      { type: '  ' },
      { type: 'x'.repeat(truthLimits.typeChars + 1) },
      { properties: [] },
      { properties: 'x' },
      { properties: null },
      { properties: deep },
      { properties: much },
      { properties: many },
      { properties: { n: Number.POSITIVE_INFINITY } },
      { properties: { n: [{ m: Number.NaN }] } },
      { properties: { n: 'a\0b' } },
      { file_urls: 'x' },
      { file_urls: [''] },
      { file_urls: Array.from({ length: truthLimits.recordFilesCount + 1 }, () => 'x') },
      { embedding: [] },
      { embedding: [Number.NaN] },
      { embedding: [1e300] },
      { embedding: [0, 0, 0] },
      { embedding: ['1'] },
      { embedding: Array.from({ length: truthLimits.embeddingNumbersCount + 1 }, () => 1) },
      { unknown: 1 },
    ];
    for (const flaw of flawed) {
      const stored = await ask('store_record', { type: 'a', properties: {}, ...flaw });
      expect(stored.error?.code, JSON.stringify(flaw).slice(0, 100)).toBe('VALIDATION_ERROR');
      const updated = await ask('update_record', { id, ...flaw });
      expect(updated.error?.code, JSON.stringify(flaw).slice(0, 100)).toBe('VALIDATION_ERROR');
    }
    expect((await ask('update_record', { id })).error?.code).toBe('VALIDATION_ERROR');
    for (const query of [
      { limit: 0 },
      { limit: 1_001 },
      { limit: 1.5 },
      { offset: -1 },
      { search: [''] },
      { search: 'x' },
      { search: Array.from({ length: truthLimits.termsCount + 1 }, () => 'x') },
      { search: ['x'.repeat(truthLimits.termChars + 1)] },
      { search_mode: 'all' },
      { similarity_threshold: 1.1 },
      { query_embedding: [0, 0] },
      { query_embedding: [] },
      { properties: deep },
      { properties: Object.fromEntries(Array.from({ length: truthLimits.filtersCount + 1 }, (_, i) => [`p${i}`, i])) },
    ]) {
      expect((await ask('retrieve_records', query)).error?.code, JSON.stringify(query)).toBe('VALIDATION_ERROR');
    }
    expect(await retrieve({})).toEqual(before);
  });

  test('accepts values just within the limits', async () => {
    const { store, update, retrieve, ask } = open();
    const most = truthLimits.propertiesBytes - '{"text":""}'.length;
    const { id } = await store({ type: 'big', properties: { text: 'x'.repeat(most) } });
    expect((await ask('update_record', { id, properties: { y: 1 } })).error?.code).toBe('VALIDATION_ERROR');
    await update({ id, properties: { text: JSON.parse(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`) } });
    const many = Object.fromEntries(Array.from({ length: truthLimits.propertiesCount }, (_, i) => [`p${i}`, i]));
    await store({ type: 'wide', properties: many });
    expect((await retrieve({ properties: { p999: 999, p0: 0 } })).records[0]?.type).toBe('wide');
    expect((await retrieve({ properties: { p999: 998 } })).total).toBe(0);
  });

  test('accepts any property name', async () => {
    const { store, update, find } = open();
    const properties = JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3}') as Record<string, unknown>;
    const { id } = await store({ type: 'odd', properties });
    const merged = await update({ id, properties: JSON.parse('{"__proto__":{"b":1}}') });
    expect(JSON.stringify(merged.properties)).toBe('{"__proto__":{"b":1},"constructor":2,"":3}');
    expect(await find({ properties: JSON.parse('{"__proto__":{"b":1},"":3}') })).toEqual([id]);
    expect(await find({ properties: JSON.parse('{"__proto__":{"a":1}}') })).toEqual([]);
  });

  test('lists records newest first, then by id, deterministically (section 7)', async () => {
    const { fixture, store, find, retrieve } = open();
    const queries: { id: string; at: string }[] = [];
    for (let i = 0; i < 12; i += 1) {
      const { id, created_at } = await store({ type: 'transaction', properties: { amount: i } });
      queries.push({ id, at: created_at });
      if (i % 3 === 2) fixture.clock.advance(5);
    }
    const expected = queries.toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? 1 : -1));
    expect(await find({ type: 'transaction', limit: 100 })).toEqual(expected.map(({ id }) => id));
    expect(await find({})).toEqual(expected.slice(0, 10).map(({ id }) => id));
    expect(await retrieve({ type: 'transaction' })).toEqual(await retrieve({ type: 'transaction' }));
    expect(await find({ limit: 4, offset: 10 })).toEqual(expected.slice(10).map(({ id }) => id));
    expect((await retrieve({ limit: 2 })).total).toBe(12);
  });

  test('two concurrent updates lose nothing', async () => {
    const { store, update, retrieve } = open();
    const { id } = await store({ type: 'a', properties: {} });
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
    await Promise.all(names.map((name) => update({ id, properties: { [name]: 1 } })));
    expect(Object.keys((await retrieve({})).records[0]!.properties).sort()).toEqual(names.sort());
    expect((await retrieve({ properties: Object.fromEntries(names.map((name) => [name, 1])) })).total).toBe(1);
  });

  test('limits the size of an answer and reports the truncation', async () => {
    const { store, retrieve } = open();
    const text = 'y'.repeat(900_000);
    for (let i = 0; i < 6; i += 1) await store({ type: 'big', properties: { text } });
    const first = await retrieve({ type: 'big' });
    expect(first).toMatchObject({ total: 6, truncated: true });
    expect(first.records).toHaveLength(4);
    const rest = await retrieve({ type: 'big', offset: 4 });
    expect(rest.records).toHaveLength(2);
    expect(rest).not.toHaveProperty('truncated');
  });

  test('reports every change with its kind', async () => {
    const { fixture, tenant, store, update, remove, restore } = open();
    const seq = await fixture.storage.version(tenant, undefined);
    const { id } = await store({ type: 'a', properties: {} });
    await update({ id, type: 'b' });
    await remove(id);
    await restore(id);
    const changes = await fixture.storage.changesSince(tenant, recordTopic, seq, 10);
    expect(changes.map((change) => [change.id, change.what])).toEqual([
      [id, 'create'],
      [id, 'update'],
      [id, 'delete'],
      [id, 'create'],
    ]);
  });

  test('attaches a file once, and rejects unknown records and too many files', async () => {
    const { fixture, store, callOf, retrieve } = open();
    const { id } = await store({ type: 'a', properties: {}, file_urls: ['one'] });
    const attach = (recordId: string, url: string) =>
      fixture.storage.write(callOf(), (db) => fixture.records.writer.attachFile(db, recordId, url));
    await attach(id, 'two');
    await attach(id, 'two');
    expect((await retrieve({})).records[0]?.file_urls).toEqual(['one', 'two']);
    await expect(attach(unknownId, 'two')).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    for (let i = 2; i < truthLimits.recordFilesCount; i += 1) await attach(id, `f${i}`);
    await expect(attach(id, 'one more')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('enforces the rate limit exactly', async () => {
    const fixture = engine.open({ limiter: createLimiter(engine.open().clock) });
    const { ask } = fixture.as(engine.newTenant());
    for (let i = 0; i < 100; i += 1) {
      expect((await ask('store_record', { type: 'a', properties: {} })).error).toBeUndefined();
    }
    const answer = await ask('store_record', { type: 'a', properties: {} });
    expect(answer.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retry_after_seconds: expect.any(Number) },
    });
    fixture.clock.advance(60_000);
    expect((await ask('store_record', { type: 'a', properties: {} })).error).toBeUndefined();
  });

  test('finds imported rows after the indexes are rebuilt', async () => {
    const fixture = engine.open({ embedder: createDebugEmbedder() });
    const { tenant, store, find, retrieve, callOf } = fixture.as(engine.newTenant());
    const { id } = await store({ type: 'a', properties: { x: 1 }, embedding: [1, 2, 3] });
    await store({ type: 'b', properties: { x: 2 } });
    for (const table of ['truth_record_properties', 'truth_totals', 'meaning_vectors', 'meaning_heads']) {
      await engine.testStore().tamper(`delete from ${table} where tenant = '${tenant}'`);
    }
    expect(await find({ properties: { x: 1 } })).toEqual([]);
    expect((await retrieve({})).total).toBe(0);
    expect(await fixture.records.rebuildIndexes(callOf())).toBe(2);
    expect(await fixture.records.rebuildIndexes(callOf())).toBe(2);
    expect(await find({ properties: { x: 1 } })).toEqual([id]);
    expect(await find({ query_embedding: [1, 2, 3] })).toEqual([id]);
    expect((await retrieve({})).total).toBe(2);
    expect((await retrieve({ type: 'a' })).total).toBe(1);
  });

  test('finds a replaced row only by its new content after a rebuild', async () => {
    const fixture = engine.open();
    const { tenant, store, find, callOf } = fixture.as(engine.newTenant());
    const { id } = await store({ type: 'a', properties: { x: 1, y: 'same' } });
    const other = await store({ type: 'a', properties: { x: 1 } });
    await engine.storage().write({ ...callOf(), audit: 'none' }, function* (db) {
      const row = (yield* findRecord(db, id))!;
      yield* updateRecord(db, { ...row, properties: '{"x":2,"y":"same"}' });
    });
    await engine
      .testStore()
      .tamper(`insert into truth_record_properties (tenant, property, record_id) values ('${tenant}', 'f', 'unknown')`);
    expect(await find({ properties: { x: 1 } })).toContain(id);
    expect(await fixture.records.rebuildIndexes(callOf())).toBe(2);
    expect(await find({ properties: { x: 1 } })).toEqual([other.id]);
    expect(await find({ properties: { x: 2 } })).toEqual([id]);
    expect(await find({ properties: { y: 'same' } })).toEqual([id]);
    const rows = await engine.storage().read(callOf(), (db) => countProperties(db));
    expect(rows).toEqual({ n: 3 });
  });
});
