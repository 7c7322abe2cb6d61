import { describe, expect, test } from 'vitest';
import type { Leases } from '../../jobs/leases.ts';
import type { Storage } from '../../storage/port.ts';
import { sql } from '../../storage/sql.ts';
import { createLocalLeases } from '../leases.fixture.ts';
import {
  failAfter,
  type OpenSearchIndexFixture,
  page,
  pages,
  rowCount,
  segmentCount,
  tiny,
} from './search-index.fixture.ts';

export function describeMerging(openFixture: OpenSearchIndexFixture): void {
  describe('merging', () => {
    test('merges the tail and small segments in the background without changing answers', async () => {
      const { call, index, put, remove, count, find, log } = await openFixture(tiny);
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

    test('moves a tail that is not full on demand, and does nothing without a tail', async () => {
      const { call, index, put, count, find } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
      await put(...Array.from({ length: 5 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      expect([await count(rowCount(call.tenant)), await count(segmentCount(call.tenant, 'live'))]).toEqual([1, 0]);
      await index.maintain(call.tenant, pages, true);
      expect([await count(rowCount(call.tenant)), await count(segmentCount(call.tenant, 'live'))]).toEqual([0, 1]);
      const generation = sql<{
        readonly n: number;
      }>`select generation as n from search_heads where tenant = ${call.tenant}`;
      const before = await count(generation);
      await index.maintain(call.tenant, pages, true);
      expect(await count(generation)).toBe(before);
      expect(await find('hook')).toHaveLength(5);
    });

    test('does not chase a tail that grows while it is moved', async () => {
      const { call, storage, put, openOther, count } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
      let writesCount = 0;
      const busy: Storage = {
        ...storage,
        async write(own, work) {
          const written = await storage.write(own, work);
          writesCount += 1;
          if (writesCount > 20) throw new Error('it never ends');
          await put(page(`q${writesCount}`, 'hook'));
          return written;
        },
      };
      await put(page('p', 'hook'));
      await openOther({ storage: busy }).maintain(call.tenant, pages, true);
      expect(await count(rowCount(call.tenant))).toBeGreaterThan(0);
    });

    test('drops the segments once every document is gone', async () => {
      const { call, index, put, remove, count, find } = await openFixture(tiny);
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      await index.maintain(call.tenant, pages);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(1);
      await remove(...Array.from({ length: 8 }, (_, i) => `p${i}`));
      await index.maintain(call.tenant, pages);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(0);
      expect(await find('hook')).toEqual([]);
    });

    test('merges only with the lease', async () => {
      const { call, put, openOther, count } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
      const other = openOther({ leases: { hold: async () => undefined }, tuning: tiny });
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      expect(await other.maintain(call.tenant, pages)).toBe(false);
      expect(await count(segmentCount(call.tenant, 'live'))).toBe(0);
    });

    test('does not ask for a lease held by another process on every search', async () => {
      const { call, put, openOther } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
      let askedCount = 0;
      const hold: Leases['hold'] = async () => {
        askedCount += 1;
        return undefined;
      };
      const other = openOther({ leases: { hold }, tuning: tiny });
      await put(...Array.from({ length: 8 }, (_, i) => page(`p${i}`, 'hook')));
      for (let i = 0; i < 5; i += 1) {
        expect((await other.search(call, pages, { text: 'hook', limit: 1 })).total).toBe(8);
        await other.settle();
      }
      expect(askedCount).toBe(1);
    });

    test('survives two concurrent merges that ignore the lease', async () => {
      const { call, put, openOther, find } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
      const rivals = [1, 2, 3].map(() => openOther({ leases: createLocalLeases(), tuning: tiny }));
      for (let round = 0; round < 6; round += 1) {
        await put(...Array.from({ length: 5 }, (_, i) => page(`p${round}-${i}`, 'hook')));
        await Promise.all(rivals.map((rival) => rival.maintain(call.tenant, pages)));
      }
      for (const rival of rivals) expect((await rival.search(call, pages, { text: 'hook', limit: 5 })).total).toBe(30);
      expect(await find('hook')).toHaveLength(30);
    });

    test('abandons a merge whose segment was swept, and loses nothing', async () => {
      const { call, storage, put, openOther, count } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
      await put(...Array.from({ length: 6 }, (_, i) => page(`p${i}`, 'hook')));
      let writeCount = 0;
      const sweptUnder: Storage = {
        ...storage,
        async write(caller, work) {
          writeCount += 1;
          // The second write inserts the first chunk: the segment row exists by then but is not live.
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

    test('loses nothing if a merge dies at any write, and catches up later', async () => {
      for (let allowed = 0; ; allowed += 1) {
        const { call, storage, put, openOther, count } = await openFixture({ ...tiny, tailEntriesCount: 1_000 });
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
}
