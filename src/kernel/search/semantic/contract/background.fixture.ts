import { describe, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../clock/clock.ts';
import { sql } from '../../../storage/sql.ts';
import { searchLimits } from '../../search-limits.ts';
import { createCountingEmbedder, type OpenSemanticSearchFixture, papers } from './semantic-search.fixture.ts';

const patience = { timeout: 120_000, interval: 10 };

export function describeBackground(openFixture: OpenSemanticSearchFixture): void {
  describe('in the background', () => {
    test('embeds written documents by itself, in any process', async () => {
      const { write, find, openOther } = await openFixture();
      await write({ a: 'cat' });
      await write({ b: 'cat' }, openOther());
      await vi.waitFor(async () => expect((await find('cat')).toSorted()).toEqual(['a', 'b']), patience);
    });

    test('continues the listing of a process that died, where it stopped', async () => {
      const { semantic, write, storage, openOther, call, embedder } = await openFixture();
      const count = 1_100;
      const names = Array.from({ length: count }, (_, i) => `d${String(i).padStart(4, '0')}`);
      for (let at = 0; at < count; at += 100) {
        await write(Object.fromEntries(names.slice(at, at + 100).map((name) => [name, `text ${name}`])));
      }
      await semantic.settle();
      await semantic.close();
      embedder.embedded.length = 0;
      const newer = createCountingEmbedder('newer');
      let writesCount = 0;
      const dying = openOther({
        embedder: async () => newer,
        storage: {
          ...storage,
          write(by, work) {
            if (by.tool === 'search/semantic') writesCount += 1;
            return writesCount > 2 ? Promise.reject(new Error('killed')) : storage.write(by, work);
          },
        },
      });
      await expect(dying.settle()).rejects.toThrow('killed');
      expect(await dying.progress(call, papers)).toEqual({ embedder: 'newer', embedded: 0, pending: 500 });
      await dying.close();
      const next = openOther({ embedder: async () => newer });
      await next.settle();
      expect(await next.progress(call, papers)).toEqual({ embedder: 'newer', embedded: count, pending: 0 });
      expect(newer.embedded).toHaveLength(count);
    });

    test('logs the start, the progress and the end of embedding all documents', async () => {
      const { semantic, write, openOther, log, call } = await openFixture();
      const count = searchLimits.saidEveryCount + 100;
      for (let at = 0; at < count; at += 100) {
        await write(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${at + i}`, `text ${at + i}`])));
      }
      await semantic.settle();
      await semantic.close();
      log.lines.length = 0;
      const next = openOther({ embedder: async () => createCountingEmbedder('newer') });
      expect(await next.waiting(call, papers)).toEqual({ count: searchLimits.listedCount, isMore: true });
      await next.settle();
      const fields = { collection: papers.name, embedder: 'newer' };
      expect(log.lines).toMatchObject([
        { level: 'info', fields: { ...fields, pending: count } },
        { level: 'info', fields, message: 'embedding documents' },
        { level: 'info', fields: { ...fields, embedded: count }, message: 'embedded all documents' },
      ]);
      const { embedded, pending } = log.lines[1]!.fields as { embedded: number; pending: number };
      expect([embedded + pending, embedded >= searchLimits.saidEveryCount]).toEqual([count, true]);
      log.lines.length = 0;
      expect(await next.waiting(call, papers)).toEqual({ count: 0, isMore: false });
      await write({ one: 'cat' }, next);
      expect(await next.waiting(call, papers)).toEqual({ count: 1, isMore: false });
      await next.settle();
      expect(log.lines).toEqual([]);
    });

    test('sweeps many deletion records without any process missing one', async () => {
      const { semantic, write, erase, find, count, run, call, openOther } = await openFixture();
      const other = openOther();
      await write({ a: 'cat', b: 'cat' });
      await semantic.settle();
      expect(await find('cat', other)).toEqual(['a', 'b']);
      await erase('a');
      await run(insertGone(call.tenant, searchLimits.vectorGoneCount + 1));
      await write({ b: 'cat again' });
      await semantic.settle();
      expect(await count('meaning_gone')).toBe(1);
      expect(await find('cat again', other)).toEqual(['b']);
    });

    test('treats an embedder that cannot be opened as none', async () => {
      const { semantic, write, call, log } = await openFixture({
        embedder: () => Promise.reject(new Error('misspelt')),
      });
      await write({ a: 'cat' });
      expect(await semantic.nearest(call, papers, { text: 'cat', limit: 1 })).toBeUndefined();
      await semantic.settle();
      expect(log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields['reason'])).toEqual([
        'Error: misspelt',
      ]);
    });

    test('a note or forget without yield* fails its transaction', async () => {
      const { semantic, storage, call } = await openFixture();
      // biome-ignore lint/correctness/useYield: that it is missing is what is tested.
      const noted = storage.write(call, function* (db) {
        semantic.note(db, papers, 'a');
      });
      await expect(noted).rejects.toThrow('never yielded');
      // biome-ignore lint/correctness/useYield: that it is missing is what is tested.
      const forgotten = storage.write(call, function* (db) {
        semantic.forget(db, papers, 'a');
      });
      await expect(forgotten).rejects.toThrow('never yielded');
    });

    test('embeds the same query once', async () => {
      const { semantic, write, find, embedder } = await openFixture();
      await write({ a: 'cat' });
      await semantic.settle();
      for (let i = 0; i < 3; i += 1) expect(await find('cat')).toEqual(['a']);
      expect(embedder.queries).toBe(1);
    });

    test('embeds a query once for searches that run at the same time, also if one of them is cancelled', async () => {
      const { semantic, write, embedder, call } = await openFixture();
      await write({ a: 'cat' });
      await semantic.settle();
      const { embed } = embedder;
      const released = Promise.withResolvers<void>();
      const asked: AbortSignal[] = [];
      Object.assign(embedder, {
        embed: async (...[texts, options]: Parameters<typeof embed>) => {
          asked.push(options.signal);
          await released.promise;
          return embed(texts, options);
        },
      });
      const leaving = new AbortController();
      const ask = (signal: AbortSignal) => semantic.nearest({ ...call, signal }, papers, { text: 'cat', limit: 1 });
      const searches = [ask(leaving.signal), ask(call.signal), ask(call.signal)];
      await vi.waitUntil(() => asked.length > 0);
      leaving.abort(new Error('the caller left'));
      await expect(searches[0]).rejects.toThrow('the caller left');
      released.resolve();
      for (const search of searches.slice(1)) expect((await search)?.hits).toMatchObject([{ id: 'a' }]);
      expect(asked.map(({ aborted }) => aborted)).toEqual([false]);
    });

    test('searches do not wait again for an embedder that failed, and use it when it is back', async () => {
      // Starts now: PostgreSQL compares the deadlines of calls with the real clock.
      const clock = createManualClock(Date.now());
      const { semantic, write, embedder, call, log } = await openFixture({ clock });
      await write({ a: 'cat' });
      await semantic.settle();
      const ask = async (text: string) => (await semantic.nearest(call, papers, { text, limit: 1 }))?.hits.length;
      expect(await ask('known')).toBe(1);
      const { embed } = embedder;
      let calls = 0;
      Object.assign(embedder, {
        embed: async () => {
          calls += 1;
          throw new Error('down');
        },
      });
      for (const text of ['one', 'two', 'three']) expect(await ask(text)).toBeUndefined();
      expect(calls).toBe(1);
      expect(await ask('known')).toBe(1);
      expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
      Object.assign(embedder, { embed });
      expect(await ask('four')).toBeUndefined();
      clock.advance(searchLimits.queryRetryMs);
      expect(await ask('four')).toBe(1);
    });

    test('compares a vector of the caller as it is', async () => {
      const { semantic, write, embedder, call } = await openFixture();
      await write({ a: 'cat', b: 'dog' });
      await semantic.settle();
      const [vector] = await embedder.embed(['dog'], { signal: call.signal, purpose: 'query' });
      const found = await semantic.nearestTo(call, papers, { vector: vector!, limit: 1 });
      expect(found?.hits.map(({ id }) => id)).toEqual(['b']);
      expect(found?.hits[0]?.similarity).toBeCloseTo(1, 3);
      const other = semantic.nearestTo(call, papers, { vector: Float32Array.of(1, 2), limit: 1 });
      await expect(other).rejects.toThrow('has 64 numbers, not 2');
    });

    test('returns the vector of a query for the same model, and embeds it once', async () => {
      const { semantic, embedder, call, openOther } = await openFixture();
      const { id: model } = embedder;
      const [expected] = await createCountingEmbedder().embed(['dog'], { signal: call.signal, purpose: 'query' });
      expect(await semantic.vectorOf(call, { text: 'dog', model })).toEqual(expected);
      await semantic.nearest(call, papers, { text: 'dog', limit: 1 });
      expect(await semantic.vectorOf(call, { text: 'cat', model: 'another' })).toBeUndefined();
      expect(embedder.queries).toBe(1);
      const without = openOther({ embedder: async () => undefined });
      expect(await without.vectorOf(call, { text: 'dog', model })).toBeUndefined();
      embedder.fails = new Error('the host is down');
      expect(await semantic.vectorOf(call, { text: 'bird', model })).toBeUndefined();
    });
  });
}

/** Records as if so many documents had been deleted long ago. */
const insertGone = (tenant: string, count: number) => sql`
  insert into meaning_gone (tenant, collection, id, seq)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
  select ${tenant}, ${papers.name}, 'gone-' || n, 1 from numbers`;
