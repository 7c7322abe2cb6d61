import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Call, type TenantId, toTenantId } from '../call.ts';
import { systemClock } from '../clock/clock.ts';
import { createIds } from '../ids/ids.ts';
import { createKeptLog } from '../log/log.ts';
import type { Reader, Step, Storage } from '../storage/port.ts';
import { type Sql, sql } from '../storage/sql.ts';
import type { SearchQuery } from './answer-search.ts';
import { defineCollection, type SearchDocument } from './collection.ts';
import { createLocalLeases, type Leases } from './leases.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import type { Tuning } from './stored/tuning.ts';
import { documentArbitrary, idArbitrary } from './test-documents.ts';

const pages = defineCollection({ name: 'pages', fields: { title: 3, body: 1 }, title: 'title' });
type Page = SearchDocument<'title' | 'body'>;

const page = (id: string, body: string, facets?: Page['facets']): Page => ({
  id,
  fields: { title: `Page ${id}`, body },
  ...(facets === undefined ? {} : { facets }),
});

/** So small that a handful of documents goes through every kind of merge. */
const tiny: Partial<Tuning> = {
  tailEntriesCount: 4,
  mergeWidthCount: 3,
  segmentBytesMin: 4_096,
  chunkBytes: 1_000,
  rebuildSegmentDocs: 3,
};

interface Office {
  readonly call: Call;
  readonly storage: Storage;
  readonly index: SearchIndex;
  readonly log: ReturnType<typeof createKeptLog>;
  /** Another process on the same store, unless it is given a store of its own. */
  openOther(options?: { storage?: Storage; leases?: Leases; tuning?: Partial<Tuning> }): SearchIndex;
  put(...documents: Page[]): Promise<void>;
  remove(...ids: string[]): Promise<void>;
  find(text: string, query?: Partial<SearchQuery>): Promise<readonly string[]>;
  count(query: Sql<{ readonly n: number }>): Promise<number>;
}

const callOf = (tenant: TenantId): Call => ({
  tenant,
  actor: 'tester',
  scopes: new Set(['write']),
  tool: 'search/contract',
  audit: 'none',
  signal: new AbortController().signal,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  progress() {},
});

/** What a storage-backed index promises, on every engine. */
export function describeSearchContract(open: () => Promise<Storage>): void {
  async function openOffice(tuning: Partial<Tuning> = {}, shared?: Storage): Promise<Office> {
    const storage = shared ?? (await open());
    const leases = createLocalLeases();
    const log = createKeptLog();
    const call = callOf(toTenantId(`tenant-${randomUUID()}`));
    const openOther: Office['openOther'] = (options = {}) => {
      const index = createSearchIndex({ storage, leases, clock: systemClock, ids: createIds(systemClock), log, tuning, ...options });
      onTestFinished(() => index.close());
      return index;
    };
    const index = openOther();
    return {
      call,
      storage,
      index,
      log,
      openOther,
      put: (...documents) =>
        storage.write(call, function* (db) {
          yield* index.put(db, pages, ...documents);
        }),
      remove: (...ids) =>
        storage.write(call, function* (db) {
          yield* index.remove(db, pages, ...ids);
        }),
      find: async (text, query = {}) => {
        const { hits } = await index.search(call, pages, { text, limit: 100, ...query });
        return hits.map(({ id }) => id);
      },
      count: async (query) =>
        storage.read(call, function* (db) {
          return (yield* db.get(query))!.n;
        }),
    };
  }

  const rowCount = (tenant: TenantId) => sql<{ readonly n: number }>`select count(*) as n from search_rows where tenant = ${tenant}`;
  const chunkCount = (tenant: TenantId) =>
    sql<{ readonly n: number }>`select count(*) as n from search_chunks where tenant = ${tenant}`;
  const segmentCount = (tenant: TenantId, state: string) =>
    sql<{ readonly n: number }>`select count(*) as n from search_segments where tenant = ${tenant} and state = ${state}`;

  describe('writing and finding', () => {
    test('a document is found as soon as its write is acknowledged', async () => {
      const { put, find } = await openOffice();
      await put(page('a', 'hooks of a service'));
      expect(await find('hook')).toEqual(['a']);
      await put(page('b', 'another hook'));
      expect((await find('hook')).toSorted()).toEqual(['a', 'b']);
    });

    test('a write that fails leaves nothing to find', async () => {
      const { call, storage, index, find } = await openOffice();
      const failing = storage.write(call, function* (db) {
        yield* index.put(db, pages, page('a', 'hook'));
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await find('hook')).toEqual([]);
    });

    test('a forgotten yield* fails the write instead of losing the document', async () => {
      const { call, storage, index, find } = await openOffice();
      const forgetful = storage.write(call, function* (db) {
        yield* index.put(db, pages, page('a', 'hook'));
        index.put(db, pages, page('b', 'hook'));
      });
      await expect(forgetful).rejects.toThrow('never yielded');
      expect(await find('hook')).toEqual([]);
    });

    test('a changed document is found by its new words only, a removed one by none', async () => {
      const { put, remove, find } = await openOffice();
      await put(page('a', 'hook'), page('b', 'hook'));
      await put(page('a', 'service'));
      expect(await find('hook')).toEqual(['b']);
      expect(await find('service')).toEqual(['a']);
      await remove('a', 'missing');
      expect(await find('service')).toEqual([]);
      await put(page('a', 'hook'));
      expect((await find('hook')).toSorted()).toEqual(['a', 'b']);
    });

    test('the last of several changes of one write counts', async () => {
      const { put, find } = await openOffice();
      await put(page('a', 'first'), page('a', 'second'));
      expect(await find('first')).toEqual([]);
      expect(await find('second')).toEqual(['a']);
    });

    test('text that a store would refuse or change is found all the same', async () => {
      const { put, find } = await openOffice();
      await put(page('a', 'before\0after \ud800 lone 𝒳yz'));
      expect(await find('lone')).toEqual(['a']);
      expect(await find('after')).toEqual(['a']);
    });

    test('an ill-formed id or facet is refused', async () => {
      const { put } = await openOffice();
      await expect(put(page('\ud800', 'text'))).rejects.toThrow('id of a search document');
      await expect(put(page('', 'text'))).rejects.toThrow('id of a search document');
      await expect(put(page('a', 'text', { tag: 'x\0y' }))).rejects.toThrow('facet tag');
    });
  });

  describe('answers', () => {
    test('filters apply before the limit and the total', async () => {
      const { call, put, index } = await openOffice();
      await put(...Array.from({ length: 30 }, (_, i) => page(`p${i}`, 'hook', { tag: i % 10 === 0 ? ['rare', 'x'] : ['common'] })));
      const answer = await index.search(call, pages, { text: 'hook', limit: 2, filters: [{ key: 'tag', any: ['rare'] }] });
      expect(answer.hits.map(({ id }) => id)).toEqual(['p0', 'p10']);
      expect(answer.total).toBe(3);
      const next = await index.search(call, pages, { text: 'hook', limit: 2, filters: [{ key: 'tag', any: ['rare'] }], after: answer.next! });
      expect(next.hits.map(({ id }) => id)).toEqual(['p20']);
      expect(next.next).toBeUndefined();
      expect(next.total).toBe(3);
    });

    test('ties are in the order of ids', async () => {
      const { put, find } = await openOffice(tiny);
      for (const id of ['c', 'B', 'a', '\ue000', '𝒳', 'b', 'd']) await put({ id, fields: { body: 'hook' } });
      expect(await find('hook', { substring: false })).toEqual(['B', 'a', 'b', 'c', 'd', '𝒳', '\ue000']);
    });

    test('a hit says why, and shows where', async () => {
      const { call, put, index } = await openOffice();
      const document: Page = { id: 'hooks-before', fields: { title: 'Before hooks', body: 'app.use in a HookContext' } };
      await put(document, page('other', 'text'));
      const { hits } = await index.search(call, pages, {
        text: 'before hooks app.use',
        limit: 5,
        load: async (ids) => new Map(ids.map((id) => [id, id === document.id ? document.fields : {}])),
      });
      expect(hits).toHaveLength(1);
      expect(hits[0]?.why).toEqual({
        how: 'words',
        terms: [
          { term: 'before', fields: ['id', 'title'] },
          { term: 'hooks', fields: ['id', 'title', 'body'] },
          { term: 'app.use', fields: ['body'] },
          { term: 'app', fields: ['body'] },
          { term: 'use', fields: ['body'] },
        ],
        boosts: [],
      });
      expect(hits[0]?.highlights).toEqual([
        { field: 'title', snippet: 'Before hooks', ranges: [[0, 6], [7, 12]] },
        { field: 'body', snippet: 'app.use in a HookContext', ranges: [[0, 7], [13, 17]] },
      ]);
    });

    test('the id stands above the title, the title above whoever mentions it', async () => {
      const { call, put, index } = await openOffice();
      await put(
        { id: 'x1', fields: { title: 'Deploy', body: 'nothing else' } },
        { id: 'x2', fields: { title: 'Notes', body: 'deploy '.repeat(30) } },
        { id: 'deploy', fields: { title: 'Something', body: 'else' } },
      );
      const { hits } = await index.search(call, pages, { text: 'Deploy', limit: 5 });
      expect(hits.map(({ id, why }) => [id, why.boosts])).toEqual([['deploy', ['id']], ['x1', ['title']], ['x2', []]]);
    });

    test('matches inside of words follow those of words', async () => {
      const { call, put, index } = await openOffice();
      await put(page('inside', 'webhooks'), page('word', 'a hook among many other words that make it long'));
      const { hits, total } = await index.search(call, pages, { text: 'hook', limit: 5 });
      expect(hits.map(({ id, why }) => [id, why.how])).toEqual([['word', 'words'], ['inside', 'substring']]);
      expect(total).toBe(2);
      expect((await index.search(call, pages, { text: 'hook', limit: 5, substring: false })).total).toBe(1);
    });

    test('a phrase must stand as written, all words may be demanded, a beginning is enough with a star', async () => {
      const { put, find } = await openOffice();
      await put(page('a', 'error handling in hooks'), page('b', 'handling an error'), page('c', 'errors were handled'));
      expect(await find('"error handling"')).toEqual(['a']);
      expect((await find('error hooks')).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await find('error hooks', { match: 'all' })).toEqual(['a']);
      expect((await find('hand*')).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await find('error hoo', { match: 'all', lastWordIsPrefix: true })).toEqual(['a']);
    });

    test('a blank, symbol-only or stop-word query gives nothing, also no hint', async () => {
      const { call, put, index } = await openOffice();
      await put(page('the', 'the other of it'));
      for (const text of ['', '   ', '{}()', 'the', 'of the', '"is it"']) {
        const answer = await index.search(call, pages, { text, limit: 5 });
        expect(answer).toEqual({ hits: [], total: 0, next: undefined, hints: [], leftOutCount: 0 });
      }
    });

    test('when nothing is found, near words are told', async () => {
      const { call, put, index } = await openOffice();
      await put(page('a', 'authentication of services'));
      expect((await index.search(call, pages, { text: 'authentification', limit: 5 })).hints).toEqual(['authentication']);
    });

    test('a limit of zero counts, a fraction is floored', async () => {
      const { call, put, index } = await openOffice();
      await put(page('a', 'hook'), page('b', 'hook'));
      expect(await index.search(call, pages, { text: 'hook', limit: 0 })).toMatchObject({ hits: [], total: 2 });
      expect((await index.search(call, pages, { text: 'hook', limit: 1.9 })).hits).toHaveLength(1);
    });
  });

  describe('tenants and collections', () => {
    test('the same word of others changes no score', async () => {
      const one = await openOffice(tiny);
      const other = await openOffice(tiny, one.storage);
      const documents = Array.from({ length: 9 }, (_, i) => page(`p${i}`, i % 3 === 0 ? 'hook service' : 'service'));
      await one.put(...documents);
      const ask = () => one.index.search(one.call, pages, { text: 'hook service', limit: 20 });
      const before = await ask();
      await other.put(...Array.from({ length: 30 }, (_, i) => page(`q${i}`, 'hook hook hook')));
      await one.index.settle();
      expect(await ask()).toEqual(before);
      expect(await other.find('service')).toEqual([]);
    });

    test('collections of one tenant do not mix', async () => {
      const { call, storage, index, put, find } = await openOffice();
      const notes = defineCollection({ name: 'notes', fields: { text: 1 } });
      await put(page('a', 'hook'));
      await storage.write(call, function* (db) {
        yield* index.put(db, notes, { id: 'n', fields: { text: 'hook' } });
      });
      expect(await find('hook')).toEqual(['a']);
      expect((await index.search(call, notes, { text: 'hook', limit: 5 })).hits.map(({ id }) => id)).toEqual(['n']);
    });
  });

  describe('several processes', () => {
    test('another process finds what was acknowledged here, and reads only what is new', async () => {
      const { call, storage, put, remove, openOther } = await openOffice();
      const seen: number[] = [];
      const other = openOther({ storage: watchReads(storage, 'search_rows', (count) => seen.push(count)) });
      const find = async () => (await other.search(call, pages, { text: 'hook', limit: 9 })).hits.map(({ id }) => id).toSorted();
      for (let i = 0; i < 5; i += 1) await put(page(`p${i}`, 'hook'));
      expect(await find()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
      await put(page('p5', 'hook'));
      await remove('p0');
      expect(await find()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      expect(await find()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
      expect(seen).toEqual([5, 2]);
    });

    test('segments are read once, when they are first needed', async () => {
      const { call, storage, index, put, openOther, count } = await openOffice({ ...tiny, mergeWidthCount: 50 });
      await put(...Array.from({ length: 10 }, (_, i) => page(`p${i}`, 'hook')));
      await index.settle();
      let readCount = 0;
      const other = openOther({
        storage: watchReads(storage, 'search_chunks', () => {
          readCount += 1;
        }),
      });
      expect(readCount).toBe(0);
      for (let i = 0; i < 3; i += 1) expect((await other.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(10);
      const firstCount = await count(chunkCount(call.tenant));
      expect(readCount).toBe(firstCount);
      await put(...Array.from({ length: 10 }, (_, i) => page(`q${i}`, 'hook')));
      await index.settle();
      expect((await other.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(20);
      expect(await count(chunkCount(call.tenant))).toBeGreaterThan(firstCount);
      expect(readCount).toBe(await count(chunkCount(call.tenant)));
    });

    test('a merge by one changes no answer of another', async () => {
      const { call, index, put, openOther } = await openOffice(tiny);
      const other = openOther();
      const ask = (from: SearchIndex) => from.search(call, pages, { text: 'hook service', limit: 50 });
      for (let i = 0; i < 40; i += 1) {
        await put(page(`p${i % 13}`, i % 2 === 0 ? 'hook' : `service ${i}`));
        if (i % 7 === 0) await index.maintain(call.tenant, pages);
        expect(await ask(other)).toEqual(await ask(index));
      }
    });

    test('many at once lose nothing', async () => {
      const { call, storage, index, openOther } = await openOffice(tiny);
      const indexes = [index, openOther(), openOther()];
      await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          storage
            .write(call, function* (db) {
              yield* indexes[i % 3]!.put(db, pages, page(`p${i}`, 'hook'));
            })
            .then(() => indexes[(i + 1) % 3]!.search(call, pages, { text: `"p${i}"`, limit: 1 }))
            .then(({ hits }) => expect(hits.map(({ id }) => id)).toEqual([`p${i}`])),
        ),
      );
      await Promise.all(indexes.map((each) => each.settle()));
      for (const each of indexes) expect((await each.search(call, pages, { text: 'hook', limit: 5 })).total).toBe(60);
    });
  });

  describe('merging', () => {
    test('the tail goes into segments in the background, segments into fewer, answers stay', async () => {
      const { call, index, put, remove, count, find, log } = await openOffice(tiny);
      for (let i = 0; i < 60; i += 1) await put(page(`p${String(i).padStart(2, '0')}`, `hook number${i}`));
      await remove('p00', 'p01', 'p02', 'p03');
      await index.settle();
      await index.maintain(call.tenant, pages);
      expect(await count(rowCount(call.tenant))).toBeLessThan(4);
      const live = await count(segmentCount(call.tenant, 'live'));
      expect(live).toBeGreaterThan(0);
      expect(live).toBeLessThan(8);
      expect(await find('hook')).toHaveLength(56);
      expect(await find('number0')).toEqual([]);
      expect(await find('number59')).toEqual(['p59']);
      expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    });

    test('when every document is gone, so are the segments', async () => {
      const { call, index, put, remove, count, find } = await openOffice(tiny);
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(1);
      await remove(...Array.from({ length: 8 }, (_, i) => `p${i}`));
      await index.maintain(call.tenant, pages);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(0);
      expect(await find('hook')).toEqual([]);
    });

    test('only who holds the lease merges', async () => {
      const { call, put, openOther, count } = await openOffice({ ...tiny, tailEntriesCount: 1_000 });
      const other = openOther({ leases: { hold: async () => undefined }, tuning: tiny });
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      expect(await other.maintain(call.tenant, pages)).toBe(false);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(0);
    });

    test('two who merge at once, against the lease, do each other no harm', async () => {
      const { call, put, openOther, find } = await openOffice({ ...tiny, tailEntriesCount: 1_000 });
      const rivals = [1, 2, 3].map(() => openOther({ leases: createLocalLeases(), tuning: tiny }));
      for (let round = 0; round < 6; round += 1) {
        await put(...Array.from({ length: 5 }, (_, i) => page(`p${round}-${i}`, 'hook')));
        await Promise.all(rivals.map((rival) => rival.maintain(call.tenant, pages)));
      }
      for (const rival of rivals) expect((await rival.search(call, pages, { text: 'hook', limit: 5 })).total).toBe(30);
      expect(await find('hook')).toHaveLength(30);
    });

    test('a merge whose segment was swept away meanwhile gives up and loses nothing', async () => {
      const { call, storage, put, openOther, count } = await openOffice({ ...tiny, tailEntriesCount: 1_000 });
      await put(...Array.from({ length: 6 }, (_, i) => page(`p${i}`, 'hook')));
      let writeCount = 0;
      const sweptUnder: Storage = {
        ...storage,
        async write(caller, work) {
          writeCount += 1;
          // The second write brings the first chunk: the segment is there by then, and not yet live.
          if (writeCount === 2) {
            await storage.write(call, function* (db) {
              yield* db.run(sql`delete from search_segments where tenant = ${db.tenant} and state = 'building'`);
            });
          }
          return storage.write(caller, work);
        },
      };
      const slow = openOther({ storage: sweptUnder, leases: createLocalLeases(), tuning: tiny });
      await slow.maintain(call.tenant, pages);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(0);
      expect(await count(rowCount(call.tenant))).toBe(1);
      expect((await slow.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(6);
      await slow.settle();
    });

    test('a merge that is cut off at any write loses nothing and is made up for', async () => {
      for (let allowed = 0; ; allowed += 1) {
        const { call, storage, put, openOther, count } = await openOffice({ ...tiny, tailEntriesCount: 1_000 });
        await put(...Array.from({ length: 9 }, (_, i) => page(`p${i}`, `hook number${i}`)));
        await put(page('p0', 'changed'));
        const failing = failAfter(storage, allowed);
        const dying = openOther({ storage: failing, leases: createLocalLeases(), tuning: tiny });
        const isDone = await dying.maintain(call.tenant, pages).then(
          () => true,
          () => false,
        );
        const next = openOther({ tuning: tiny });
        const { total } = await next.search(call, pages, { text: 'hook', limit: 1 });
        expect(total).toBe(8);
        await next.settle();
        await next.maintain(call.tenant, pages);
        expect((await next.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(8);
        expect(await count(rowCount(call.tenant))).toBe(0);
        if (isDone) {
          expect(allowed).toBeGreaterThan(3);
          return;
        }
      }
    });
  });

  describe('derived data', () => {
    test('made anew, the index gives the same answers, to the last bit', async () => {
      const { call, index, put, remove, openOther } = await openOffice(tiny);
      const documents = new Map<string, Page>();
      for (let i = 0; i < 25; i += 1) {
        const document = page(`p${i % 17}`, `hook ${'service '.repeat(i % 4)} number${i}`, { tag: `t${i % 3}` });
        documents.set(document.id, document);
        await put(document);
      }
      await remove('p3');
      documents.delete('p3');
      const queries: SearchQuery[] = [
        { text: 'hook service', limit: 30 },
        { text: '"hook service"', limit: 30, filters: [{ key: 'tag', any: ['t1', 't2'] }] },
        { text: 'numb* ervi', limit: 30 },
        { text: 'umber1', limit: 30 },
      ];
      const ask = (from: SearchIndex) => Promise.all(queries.map((query) => from.search(call, pages, query)));
      const before = await ask(index);
      await index.rebuild(call, pages, documents.values());
      expect(await ask(index)).toEqual(before);
      await index.settle();
      expect(await ask(openOther())).toEqual(before);
    });

    test('what is written while the index is made anew stands above what was read', async () => {
      const { call, index, put, remove, find } = await openOffice(tiny);
      await put(page('a', 'old'), page('b', 'old'), page('c', 'old'));
      async function* slowly() {
        yield page('a', 'old');
        await put(page('a', 'new'), page('d', 'new'));
        yield page('b', 'old');
        await remove('c');
        yield page('c', 'old');
        yield page('e', 'never written through the index');
      }
      await index.rebuild(call, pages, slowly());
      await index.settle();
      expect((await find('old')).toSorted()).toEqual(['b']);
      expect((await find('new')).toSorted()).toEqual(['a', 'd']);
      expect(await find('never')).toEqual(['e']);
    });

    test('what the documents do not have is gone when the index was made anew', async () => {
      const { call, index, put, find } = await openOffice(tiny);
      await put(...Array.from({ length: 5 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      await put(page('ghost', 'hook'));
      await index.rebuild(call, pages, [page('p1', 'hook')]);
      expect(await find('hook')).toEqual(['p1']);
    });

    test('an index that was never written can be made from its documents', async () => {
      const { call, index, find } = await openOffice();
      await index.rebuild(call, pages, [page('a', 'hook'), page('b', 'hook')]);
      expect(await find('hook')).toEqual(['a', 'b']);
      await expect(index.rebuild(call, pages, [page('a', 'x'), page('a', 'y')])).rejects.toThrow('twice');
      expect(await find('hook')).toEqual(['a', 'b']);
    });

    test('a damaged segment is noticed, and healed where the documents are known', async () => {
      const { call, storage, index, put, openOther, log } = await openOffice(tiny);
      const documents = Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook'));
      await put(...documents);
      await index.maintain(call.tenant, pages);
      await storage.write(call, function* (db) {
        const chunk = yield* db.get(sql<{ bytes: Uint8Array }>`
          select bytes from search_chunks where tenant = ${db.tenant} and chunk = 1`);
        const damaged = new Uint8Array(chunk!.bytes);
        damaged[0]! ^= 1;
        yield* db.run(sql`update search_chunks set bytes = ${damaged} where tenant = ${db.tenant} and chunk = 1`);
      });
      const other = openOther();
      const ask = () => other.search(call, pages, { text: 'hook', limit: 3 });
      await expect(ask()).rejects.toMatchObject({ code: 'INTEGRITY_ERROR' });
      other.provide(pages, () => documents);
      const answers = await Promise.all([ask(), ask()]);
      expect(answers.map(({ total }) => total)).toEqual([8, 8]);
      expect(log.lines.some(({ message }) => message.includes('made anew'))).toBe(true);
    });

    test('a segment that lacks a chunk is noticed too', async () => {
      const { call, storage, index, put, openOther } = await openOffice(tiny);
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      await storage.write(call, function* (db) {
        yield* db.run(sql`delete from search_chunks where tenant = ${db.tenant} and chunk = 1`);
      });
      await expect(openOther().search(call, pages, { text: 'hook', limit: 3 })).rejects.toMatchObject({ code: 'INTEGRITY_ERROR' });
    });

    test('a memory too small for the collection gives the same answers', async () => {
      const { call, index, put, openOther } = await openOffice(tiny);
      await put(...Array.from({ length: 20 }, (_, i) => page(`p${i}`, `hook ${i}`)));
      await index.settle();
      const forgetful = openOther({ tuning: { ...tiny, cacheBytes: 1 } });
      for (const text of ['hook', '"hook 7"', 'hook']) {
        const query = { text, limit: 30 };
        expect(await forgetful.search(call, pages, query)).toEqual(await index.search(call, pages, query));
      }
    });

    test('after any history, the answers are those of an index made at once', async () => {
      type Step = { readonly put: readonly Page[] } | { readonly remove: readonly string[] } | 'maintain' | 'restart' | 'rebuild';
      const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
        { weight: 5, arbitrary: fc.array(documentArbitrary, { minLength: 1, maxLength: 4 }).map((put) => ({ put })) },
        { weight: 2, arbitrary: fc.array(idArbitrary, { minLength: 1, maxLength: 3 }).map((remove) => ({ remove })) },
        { weight: 2, arbitrary: fc.constantFrom<Step[]>('maintain', 'restart', 'rebuild') },
      );
      const shared = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 14 }), async (steps) => {
          const office = await openOffice(tiny, shared);
          const documents = new Map<string, Page>();
          let index = office.index;
          for (const step of steps) {
            if (step === 'maintain') await index.maintain(office.call.tenant, pages);
            else if (step === 'rebuild') await index.rebuild(office.call, pages, documents.values());
            else if (step === 'restart') index = office.openOther();
            else if ('put' in step) {
              await office.put(...step.put);
              for (const document of step.put) documents.set(document.id, document);
            } else {
              await office.remove(...step.remove);
              for (const id of step.remove) documents.delete(id);
            }
          }
          const fresh = await openOffice({}, shared);
          await fresh.put(...documents.values());
          for (const text of ['hook create', 'app.use', '"hook context"', 'rea', 'serv* before']) {
            const query = { text, limit: 50 };
            expect(await index.search(office.call, pages, query)).toEqual(await fresh.index.search(fresh.call, pages, query));
          }
          await index.settle();
        }),
        { numRuns: 25 },
      );
    });
  });
}

/** The real store; tells how many rows each read of a table brought. */
function watchReads(storage: Storage, table: string, tell: (count: number) => void): Storage {
  function told<T>(query: Sql, step: Step<T>): Step<T> {
    if (!query.parts.join('').includes(`from ${table}`)) return step;
    return {
      *[Symbol.iterator]() {
        const found = yield* step;
        tell(Array.isArray(found) ? found.length : 1);
        return found;
      },
    };
  }
  const watched = (db: Reader): Reader => ({
    tenant: db.tenant,
    get: (query) => told(query, db.get(query)),
    all: (query) => told(query, db.all(query)),
  });
  return { ...storage, read: (call, work) => storage.read(call, (db) => work(watched(db))) };
}

/** The real store, of a process that dies after so many writes. */
function failAfter(storage: Storage, allowed: number): Storage {
  let count = 0;
  return {
    ...storage,
    write(call, work) {
      count += 1;
      return count > allowed ? Promise.reject(new Error('the process is gone')) : storage.write(call, work);
    },
  };
}
