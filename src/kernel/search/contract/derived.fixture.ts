import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Leases } from '../../jobs/leases.ts';
import type { Storage } from '../../storage/port.ts';
import { sql } from '../../storage/sql.ts';
import type { SearchQuery } from '../answer-search.ts';
import { defineCollection } from '../collection.ts';
import { documentArbitrary, idArbitrary } from '../documents.fixture.ts';
import { markOutdated } from '../keyword/index/segment-store.ts';
import { createLocalLeases } from '../leases.fixture.ts';
import type { SearchIndex } from '../search-index.ts';
import { type OpenSearchIndexFixture, type Page, page, pages, tiny, watchReads } from './search-index.fixture.ts';

/** The index is derived data: it can be rebuilt at any time. */
export function describeDerived(openFixture: OpenSearchIndexFixture, open: () => Promise<Storage>): void {
  describe('derived data', () => {
    test('gives bit-identical answers after a rebuild', async () => {
      const { call, index, put, remove, openOther } = await openFixture(tiny);
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
      const ask = (from: SearchIndex) => Promise.all(queries.map(async (query) => from.search(call, pages, query)));
      const before = await ask(index);
      await index.rebuild(call, pages, documents.values());
      expect(await ask(index)).toEqual(before);
      await index.settle();
      expect(await ask(openOther())).toEqual(before);
    });

    test('keeps documents written during a rebuild over the ones it read', async () => {
      const { call, index, put, remove, find } = await openFixture(tiny);
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

    test('drops documents that the source no longer has on a rebuild', async () => {
      const { call, index, put, find } = await openFixture(tiny);
      await put(...Array.from({ length: 5 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      await put(page('ghost', 'hook'));
      await index.rebuild(call, pages, [page('p1', 'hook')]);
      expect(await find('hook')).toEqual(['p1']);
    });

    test('builds an index that was never written from its documents', async () => {
      const { call, index, find } = await openFixture();
      await index.rebuild(call, pages, [page('a', 'hook'), page('b', 'hook')]);
      expect(await find('hook')).toEqual(['a', 'b']);
      await expect(index.rebuild(call, pages, [page('a', 'x'), page('a', 'y')])).rejects.toThrow('twice');
      expect(await find('hook')).toEqual(['a', 'b']);
    });

    test('detects a damaged segment and repairs it if the documents are provided', async () => {
      const { call, storage, index, put, openOther, log } = await openFixture(tiny);
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
      expect(log.lines.some(({ message }) => message.includes('rebuilding'))).toBe(true);
    });

    test('finds imported documents in every process once the index is marked as outdated', async () => {
      const { call, storage, index, put, find, log, openOther } = await openFixture(tiny);
      await put(page('a', 'hook'), page('b', 'hook'));
      expect((await find('hook')).toSorted()).toEqual(['a', 'b']);
      const documents = [page('b', 'hook'), ...Array.from({ length: 9 }, (_, i) => page(`c${i}`, 'hook'))];
      const mark = () =>
        storage.write(call, function* (db) {
          yield* markOutdated(db, pages.name);
        });
      await mark();
      await expect(find('hook')).rejects.toMatchObject({ code: 'INTEGRITY_ERROR' });
      let readsCount = 0;
      const source = () => {
        readsCount += 1;
        return documents;
      };
      const other = openOther();
      for (const each of [index, other]) each.provide(pages, source);
      await put(page('written', 'hook'));
      documents.push(page('written', 'hook'));
      const totals = () =>
        Promise.all(
          [index, other].map(async (each) => (await each.search(call, pages, { text: 'hook', limit: 1 })).total),
        );
      expect(await totals()).toEqual([11, 11]);
      const before = readsCount;
      await put(page('later', 'hook'));
      expect(await totals()).toEqual([12, 12]);
      expect(readsCount).toBe(before);
      documents.push(page('later', 'hook'), page('past', 'hook'));
      for (const each of [index, other]) await each.settle();
      await mark();
      expect(await index.maintain(call.tenant, pages)).toBe(true);
      expect(await totals()).toEqual([13, 13]);
      expect(readsCount).toBe(before + 1);
      expect(
        log.lines.some(({ fields }) => fields['reason'] === 'documents were changed without the search index'),
      ).toBe(true);
    });

    test('keeps a mark set during a rebuild, and finishes the repair if the caller leaves', async () => {
      const { call, storage, index } = await openFixture(tiny);
      const mark = () =>
        storage.write(call, function* (db) {
          yield* markOutdated(db, pages.name);
        });
      const documents = [page('a', 'hook')];
      const leaving = new AbortController();
      let runsCount = 0;
      index.provide(pages, async function* () {
        runsCount += 1;
        yield* [...documents];
        if (runsCount > 1) return;
        documents.push(page('b', 'hook'));
        await mark();
        leaving.abort(new Error('enough'));
      });
      await mark();
      const left = index.search({ ...call, signal: leaving.signal }, pages, { text: 'hook', limit: 9 });
      const stayed = index.search(call, pages, { text: 'hook', limit: 9 });
      await expect(left).rejects.toThrow('enough');
      expect((await stayed).total).toBe(2);
      expect(runsCount).toBe(2);
    });

    test('repairs once for a search whose read ends after the repair', async () => {
      const { call, storage, openOther } = await openFixture(tiny);
      const secondFailed = Promise.withResolvers<void>();
      const repaired = Promise.withResolvers<void>();
      let failuresCount = 0;
      const slow: Storage = {
        ...storage,
        read: (caller, work) =>
          storage.read(caller, work).catch(async (error: unknown) => {
            failuresCount += 1;
            if (failuresCount === 2) {
              secondFailed.resolve();
              await repaired.promise;
            }
            throw error;
          }),
      };
      const local = createLocalLeases();
      const leases: Leases = {
        // Resolves after the promises that wait for the repair.
        hold: (...args) => local.hold(...args).finally(() => void setImmediate(repaired.resolve)),
      };
      const index = openOther({ storage: slow, leases });
      let runsCount = 0;
      index.provide(pages, async function* () {
        runsCount += 1;
        yield page('a', 'hook');
        await secondFailed.promise;
      });
      await storage.write(call, function* (db) {
        yield* markOutdated(db, pages.name);
      });
      const ask = async () => (await index.search(call, pages, { text: 'hook', limit: 9 })).total;
      expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
      expect(failuresCount).toBe(2);
      expect(runsCount).toBe(1);
    });

    test('detects a segment with a missing chunk', async () => {
      const { call, storage, index, put, openOther } = await openFixture(tiny);
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      await storage.write(call, function* (db) {
        yield* db.run(sql`delete from search_chunks where tenant = ${db.tenant} and chunk = 1`);
      });
      await expect(openOther().search(call, pages, { text: 'hook', limit: 3 })).rejects.toMatchObject({
        code: 'INTEGRITY_ERROR',
      });
    });

    test('gives the same answers if the cache is too small for two collections', async () => {
      const { call, storage, index, put, openOther } = await openFixture(tiny);
      const notes = defineCollection({ name: 'notes', fields: { text: 1 } });
      await put(...Array.from({ length: 20 }, (_, i) => page(`p${i}`, `hook ${i}`)));
      await index.maintain(call.tenant, pages);
      let readCount = 0;
      const watched = watchReads(storage, 'search_chunks', () => {
        readCount += 1;
      });
      const forgetful = openOther({ storage: watched, tuning: { ...tiny, cacheBytes: 1 } });
      for (const text of ['hook', '"hook 7"', 'hook']) {
        const query = { text, limit: 30 };
        const before = readCount;
        expect(await forgetful.search(call, pages, query)).toEqual(await index.search(call, pages, query));
        expect(readCount).toBeGreaterThan(before);
        await forgetful.search(call, notes, query);
      }
    });

    test('gives the answers of a freshly built index after any history', async () => {
      type Move =
        | { readonly put: readonly Page[] }
        | { readonly remove: readonly string[] }
        | 'maintain'
        | 'restart'
        | 'rebuild';
      const stepArbitrary: fc.Arbitrary<Move> = fc.oneof(
        { weight: 5, arbitrary: fc.array(documentArbitrary, { minLength: 1, maxLength: 4 }).map((put) => ({ put })) },
        { weight: 2, arbitrary: fc.array(idArbitrary, { minLength: 1, maxLength: 3 }).map((remove) => ({ remove })) },
        { weight: 2, arbitrary: fc.constantFrom<Move[]>('maintain', 'restart', 'rebuild') },
      );
      const shared = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 14 }), async (steps) => {
          const fixture = await openFixture(tiny, shared);
          const documents = new Map<string, Page>();
          let index = fixture.index;
          for (const step of steps) {
            if (step === 'maintain') await index.maintain(fixture.call.tenant, pages);
            else if (step === 'rebuild') await index.rebuild(fixture.call, pages, documents.values());
            else if (step === 'restart') index = fixture.openOther();
            else if ('put' in step) {
              await fixture.put(...step.put);
              for (const document of step.put) documents.set(document.id, document);
            } else {
              await fixture.remove(...step.remove);
              for (const id of step.remove) documents.delete(id);
            }
          }
          const fresh = await openFixture({}, shared);
          await fresh.put(...documents.values());
          for (const text of ['hook create', 'app.use', '"hook context"', 'rea', 'serv* before']) {
            const query = { text, limit: 50 };
            expect(await index.search(fixture.call, pages, query)).toEqual(
              await fresh.index.search(fresh.call, pages, query),
            );
          }
          await index.settle();
        }),
        { numRuns: 25 },
      );
    });
  });
}
