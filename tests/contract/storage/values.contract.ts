import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { allOf, list, type Sql, sql } from '#kernel/storage/sql.ts';
import type { Opened } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { findItem, type Item, putItem } from './tables.ts';

export function describeValues({ store, engine }: Opened): void {
  const put = (call: Call, ...items: (Partial<Item> & { readonly id: string })[]) =>
    store().write(call, function* (db) {
      for (const item of items) yield* putItem(db, item);
      yield* db.changed('item', 'all', 'create', 'h');
    });

  const find = (call: Call, id: string) =>
    store().read(call, function* (db) {
      return yield* findItem(db, id);
    });

  const idsWhere = async (call: Call, condition: Sql) => {
    const rows = await store().read(call, function* (db): Work<readonly { id: string }[]> {
      return yield* db.all(
        sql<{ id: string }>`select id from items where tenant = ${db.tenant} and ${condition} order by id`,
      );
    });
    return rows.map((row) => row.id).join();
  };

  const answer = <Row>(question: (db: Reader) => Sql<Row>) =>
    store().read(createCall(newTenant()), function* (db) {
      return yield* db.get(question(db));
    });

  describe('values', () => {
    test('text, whole numbers, fractions, bytes and nothing come back as they were', async () => {
      const call = createCall(newTenant());
      const item = {
        id: 'ünï\u{1f600}',
        document: 'quotes \' " \\ $1 ? and\nlines',
        n: Number.MAX_SAFE_INTEGER,
        score: 0.1,
        bytes: Buffer.from([0, 1, 2, 255]),
      };
      await put(call, item, {
        id: 'negative',
        n: Number.MIN_SAFE_INTEGER,
        score: -1.5e-7,
        bytes: Buffer.alloc(0),
        document: '',
      });
      expect(await find(call, item.id)).toEqual(item);
      const negative = await find(call, 'negative');
      expect(negative).toMatchObject({ n: Number.MIN_SAFE_INTEGER, score: -1.5e-7, document: '' });
      expect(negative?.bytes).toHaveLength(0);
      expect(Buffer.isBuffer(negative?.bytes)).toBe(true);
    });

    test('any well-formed text is kept letter by letter', async () => {
      const call = createCall(newTenant());
      const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((one) => !one.includes('\0'));
      let count = 0;
      await fc.assert(
        fc.asyncProperty(text, async (document) => {
          count += 1;
          const id = `t${count}`;
          await put(call, { id, document });
          expect((await find(call, id))?.document).toBe(document);
        }),
        { numRuns: 40 },
      );
    });

    test('half of a surrogate pair becomes U+FFFD, which is why it is refused at the door', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', document: 'x\ud800y' });
      expect((await find(call, 'a'))?.document).toBe('x\ufffdy');
    });

    test(`NUL is ${engine.dialect === 'sqlite' ? 'kept' : 'refused'}, which is why it is refused at the door`, async () => {
      const call = createCall(newTenant());
      const written = put(call, { id: 'a', document: 'x\0y' });
      if (engine.dialect === 'sqlite') {
        await written;
        expect((await find(call, 'a'))?.document).toBe('x\0y');
      } else {
        await expect(written).rejects.toThrow('22021');
      }
    });

    test('a number that is not kept as it is gets refused', async () => {
      const call = createCall(newTenant());
      for (const n of [2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(put(call, { id: 'a', n })).rejects.toThrow('no store keeps');
      }
      const tooBig = store().write(call, function* (db) {
        yield* db.run(sql`insert into items (tenant, id, n) values (${db.tenant}, ${'a'}, ${2n ** 53n})`);
      });
      await expect(tooBig).rejects.toThrow('no store keeps');
      const inList = store().read(call, function* (db) {
        return yield* db.all(sql`select id from items where tenant = ${db.tenant} and n in ${list([1, 2 ** 60])}`);
      });
      await expect(inList).rejects.toThrow('no store keeps');
    });

    test('counts, sums and conditions are numbers', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', n: 1, score: 0.5 }, { id: 'b', n: 2, score: 0.25 });
      const row = await store().read(call, function* (db) {
        return yield* db.get(sql`
          select count(*) as items, sum(n) as whole, sum(score) as part, max(n) > 1 as is_more, max(n) > 2 as is_most
          from items where tenant = ${db.tenant}`);
      });
      expect(row).toEqual({ items: 2, whole: 3, part: 0.75, is_more: 1, is_most: 0 });
    });

    test('text is ordered by code point', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'b' }, { id: 'B' }, { id: 'a' }, { id: 'é' }, { id: '_' });
      expect(await idsWhere(call, allOf([]))).toBe('B,_,a,b,é');
    });

    test('a list stands behind in and not in, of text or numbers, empty as well', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', n: 1 }, { id: 'b', n: 2 }, { id: 'c', n: 3 });
      expect(await idsWhere(call, sql`id in ${list(['a', 'c', 'z', "'"])}`)).toBe('a,c');
      expect(await idsWhere(call, sql`n in ${list([2, 3])}`)).toBe('b,c');
      expect(await idsWhere(call, sql`id not in ${list(['a'])}`)).toBe('b,c');
      expect(await idsWhere(call, sql`n not in ${list([1, 2])}`)).toBe('c');
      expect(await idsWhere(call, sql`id in ${list([])}`)).toBe('');
      expect(await idsWhere(call, sql`n in ${list([])}`)).toBe('');
      expect(await idsWhere(call, sql`n not in ${list([])}`)).toBe('a,b,c');
    });

    test('a list anywhere else is refused', async () => {
      await expect(answer(() => sql`select ${list(['a'])} as x`)).rejects.toThrow('only behind "in"');
    });

    test('pieces are put together in their order, with their values', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', n: 1 }, { id: 'b', n: 2 }, { id: 'c', n: 3 });
      const from = (n: number) => sql`n >= ${n}`;
      const pieces = allOf([from(2), sql`id <> ${'c'}`, sql`id in ${list(['a', 'b', 'c'])}`]);
      expect(await idsWhere(call, pieces)).toBe('b');
      expect(await idsWhere(call, allOf([sql`(${from(3)} or ${allOf([from(1), sql`id = ${'a'}`])})`]))).toBe('a,c');
      expect(await idsWhere(call, allOf([]))).toBe('a,b,c');
    });
  });
}
