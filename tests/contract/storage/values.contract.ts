import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { allOf, list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { findItem, type Item, putItem } from './tables.ts';

export function describeValues({ store, engine }: ContractContext): void {
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
    test('reads text, integers, fractions, bytes and null back unchanged', async () => {
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

    test('keeps any well-formed text unchanged', async () => {
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

    test('replaces half of a surrogate pair with U+FFFD, which is why input checks reject it', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', document: 'x\ud800y' });
      expect((await find(call, 'a'))?.document).toBe('x\ufffdy');
    });

    test(`${engine.kind === 'sqlite' ? 'keeps' : 'rejects'} NUL, which is why input checks reject it`, async () => {
      const call = createCall(newTenant());
      const written = put(call, { id: 'a', document: 'x\0y' });
      if (engine.kind === 'sqlite') {
        await written;
        expect((await find(call, 'a'))?.document).toBe('x\0y');
      } else {
        await expect(written).rejects.toThrow('22021');
      }
    });

    test('rejects a number that it cannot store exactly', async () => {
      const call = createCall(newTenant());
      for (const n of [2 ** 53, -(2 ** 53), Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(put(call, { id: 'a', n })).rejects.toThrow('cannot be stored exactly');
      }
      const tooBig = store().write(call, function* (db) {
        yield* db.run(sql`insert into items (tenant, id, n) values (${db.tenant}, ${'a'}, ${2n ** 53n})`);
      });
      await expect(tooBig).rejects.toThrow('cannot be stored exactly');
      const inList = store().read(call, function* (db) {
        return yield* db.all(sql`select id from items where tenant = ${db.tenant} and n in ${list([1, 2 ** 60])}`);
      });
      await expect(inList).rejects.toThrow('cannot be stored exactly');
    });

    test('returns counts, sums and conditions as numbers', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', n: 1, score: 0.5 }, { id: 'b', n: 2, score: 0.25 });
      const row = await store().read(call, function* (db) {
        return yield* db.get(sql`
          select count(*) as items, sum(n) as whole, sum(score) as part, max(n) > 1 as is_more, max(n) > 2 as is_most
          from items where tenant = ${db.tenant}`);
      });
      expect(row).toEqual({ items: 2, whole: 3, part: 0.75, is_more: 1, is_most: 0 });
    });

    test('orders text by code point', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'b' }, { id: 'B' }, { id: 'a' }, { id: 'é' }, { id: '_' });
      expect(await idsWhere(call, allOf([]))).toBe('B,_,a,b,é');
    });

    test('accepts a list after in and not in, of text or numbers, also empty', async () => {
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

    test('rejects a list anywhere else', async () => {
      await expect(answer(() => sql`select ${list(['a'])} as x`)).rejects.toThrow('must follow "in"');
    });

    test('combines fragments in order, with their values', async () => {
      const call = createCall(newTenant());
      await put(call, { id: 'a', n: 1 }, { id: 'b', n: 2 }, { id: 'c', n: 3 });
      const from = (n: number) => sql`n >= ${n}`;
      const pieces = allOf([from(2), sql`id <> ${'c'}`, sql`id in ${list(['a', 'b', 'c'])}`]);
      expect(await idsWhere(call, pieces)).toBe('b');
      expect(await idsWhere(call, allOf([sql`(${from(3)} or ${allOf([from(1), sql`id = ${'a'}`])})`]))).toBe('a,c');
      expect(await idsWhere(call, allOf([]))).toBe('a,b,c');
    });

    const countItems = (call: Call) =>
      store().read(call, (db) =>
        db.get(sql<{ n: number; sum: number }>`
          select count(*) as n, sum(n) as sum from items where tenant = ${db.tenant}`),
      );

    test('inserts any number of rows with one call, and counts them', async () => {
      for (const count of [0, 1, 7, 8, 31, 700, 1_500]) {
        const call = createCall(newTenant(), { audit: 'none' });
        const rows = Array.from({ length: count }, (_, i) => [
          call.tenant,
          `id-${i}`,
          null,
          i,
          i / 4,
          Buffer.from([i]),
        ]);
        const written = await store().write(call, (db) =>
          db.run(sql`insert into items (tenant, id, document, n, score, bytes) values ${values(rows)}`),
        );
        expect(written).toBe(count);
        expect(await countItems(call)).toEqual({ n: count, sum: count === 0 ? null : (count * (count - 1)) / 2 });
        if (count > 5) expect(await find(call, 'id-5')).toMatchObject({ n: 5, score: 1.25, bytes: Buffer.from([5]) });
      }
    });

    test('returns the rows of all statements, and keeps the text after the rows', async () => {
      const call = createCall(newTenant(), { audit: 'none' });
      const insert = (from: number, to: number) =>
        store().write(call, (db) => {
          const rows = Array.from({ length: to - from }, (_, i) => [db.tenant, `id-${from + i}`, from + i]);
          return db.all(sql<{ id: string }>`
            insert into items (tenant, id, n) values ${values(rows)} on conflict do nothing returning id`);
        });
      expect(await insert(0, 600)).toHaveLength(600);
      const fresh = await insert(590, 610);
      expect(fresh.map(({ id }) => id).toSorted()).toEqual(Array.from({ length: 10 }, (_, i) => `id-${600 + i}`));
    });

    test('updates and reads with a list of rows', async () => {
      const call = createCall(newTenant(), { audit: 'none' });
      const ids = Array.from({ length: 20 }, (_, i) => `id-${i}`);
      await put(createCall(call.tenant), ...ids.map((id) => ({ id, document: 'old' })));
      const updated = await store().write(call, (db) =>
        db.run(sql`
          with given (id, document) as (values ${values(ids.slice(1).map((id) => [id, `new ${id}`]))})
          update items set document = given.document from given
          where items.tenant = ${db.tenant} and items.id = given.id`),
      );
      expect(updated).toBe(19);
      const rows = await store().read(call, (db) =>
        db.all(sql<{ document: string }>`
          with given (id) as (values ${values(ids.slice(0, 12).map((id) => [id]))})
          select i.document from given join items i on i.id = given.id where i.tenant = ${db.tenant}`),
      );
      expect(rows.map(({ document }) => document).toSorted()).toEqual(
        ['old', ...ids.slice(1, 12).map((id) => `new ${id}`)].toSorted(),
      );
    });

    test('keeps none of the rows when a later statement fails', async () => {
      const call = createCall(newTenant(), { audit: 'none' });
      const rows = Array.from({ length: 600 }, (_, i) => [call.tenant, `id-${i === 599 ? 0 : i}`]);
      await expect(
        store().write(call, (db) => db.run(sql`insert into items (tenant, id) values ${values(rows)}`)),
      ).rejects.toThrow(/unique|duplicate|constraint/i);
      expect(await countItems(call)).toMatchObject({ n: 0 });
    });

    test('rejects rows with numbers that it cannot store exactly', async () => {
      const call = createCall(newTenant());
      const written = store().write(call, (db) =>
        db.run(sql`insert into items (tenant, id, n) values ${values([[db.tenant, 'a', 2 ** 53]])}`),
      );
      await expect(written).rejects.toThrow('cannot be stored exactly');
    });
  });
}
