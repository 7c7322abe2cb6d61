import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { insertJournal, putSeen } from '#domains/instructions/catalog/catalog-store.ts';
import { etagOf, toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { testFailingFlushes } from './failing-flush.ts';
import { openHouse } from './folder-house.ts';
import { toEntry } from './open-catalog.ts';

type House = Awaited<ReturnType<typeof openHouse>>;

/** As a process leaves it that was killed right after its decision. */
const decide = (house: House, id: string, before: string | null, after: string | null) =>
  house.storage.write(house.call({ actor: 'killed' }), function* (db) {
    const etags = { before_etag: before && etagOf(before), after_etag: after && etagOf(after) };
    yield* insertJournal(db, { batch: `batch-${id}`, id, ...etags, document: after });
    if (after !== null) yield* putSeen(db, id, etagOf(after));
    yield* db.changed(instructionTopic, id, 'update', 'x');
  });

/** Lets somebody in right after a write of the catalog. */
const interrupting = (storage: Storage, enter: () => void): Storage => ({
  ...storage,
  async write(call, work) {
    const answer = await storage.write(call, work);
    enter();
    return answer;
  },
});

export function describeUnfinishedChanges(): void {
  describe('[IN5] a change that was decided and not finished', () => {
    const one = toEntryText(toEntry({ id: 'a', body: 'state one' }));
    const two = toEntryText(toEntry({ id: 'a', body: 'state two' }));
    const three = toEntryText(toEntry({ id: 'a', body: 'state three' }));

    test.each([
      ['creation', null, two, null],
      ['creation whose file is there already', null, two, two],
      ['overwrite', one, two, one],
      ['overwrite whose file is there already', one, two, two],
      ['removal', one, null, one],
      ['removal whose file is gone already', one, null, null],
    ])('is finished at the next start: %s', async (_what, before, after, onDisk) => {
      const house = await openHouse();
      if (onDisk !== null) writeFileSync(house.path('a.json'), onDisk);
      await decide(house, 'a', before, after);
      const { catalog } = house.open();
      const state = await catalog.state(house.call());
      expect(state.find('a')?.etag).toBe(after === null ? undefined : etagOf(after));
      expect(existsSync(house.path('a.json'))).toBe(after !== null);
      if (after !== null) expect(readFileSync(house.path('a.json'), 'utf8')).toBe(after);
      expect(await house.openRows()).toEqual([]);
      expect(readdirSync(house.folders.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });

    test.each([
      ['an editor’s text', three],
      ['nothing', null],
    ])('is given up when %s stands in its place, which is served, found and audited', async (_what, onDisk) => {
      const house = await openHouse();
      if (onDisk !== null) writeFileSync(house.path('a.json'), onDisk);
      await decide(house, 'a', one, two);
      const { catalog, log } = house.open();
      expect((await catalog.state(house.call())).find('a')?.entry.body).toBe(
        onDisk === null ? undefined : 'state three',
      );
      expect((await catalog.search(house.call(), { text: 'three', limit: 5 })).total).toBe(onDisk === null ? 0 : 1);
      expect(await house.openRows()).toEqual([{ id: 'a', state: 'given-up' }]);
      expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([{ id: 'a' }]);
      expect((await house.audited()).at(-1)).toBe(`outside ${onDisk === null ? 'delete' : 'update'} a`);
    });

    test('of another process is left alone for a moment, and finished by a process that runs', async () => {
      const house = await openHouse();
      let skewMs = 0;
      const { catalog } = house.open({ clock: { now: () => Date.now() + skewMs } });
      await catalog.state(house.call());
      await decide(house, 'a', null, two);
      expect((await catalog.state(house.call())).count).toBe(0);
      expect(await house.openRows()).toHaveLength(1);
      skewMs = 3_000;
      expect((await catalog.state(house.call())).count).toBe(1);
      expect(await house.openRows()).toEqual([]);
    });

    test('an edit between decision and rename is a conflict: the whole batch is taken back and the edit stays', async () => {
      const house = await openHouse();
      const first = house.open();
      const entries = ['a', 'b', 'c', 'd'].map((id) => toEntry({ id, body: `first of ${id}` }));
      const creations = entries.slice(0, 3).map((after) => ({ id: after.id, before: null, after }));
      const state = await first.catalog.commit(house.call(), creations);
      const { hash } = state;
      await first.close();
      const text = toEntryText(toEntry({ id: 'c', body: 'by hand' }));
      let isArmed = false;
      const storage = interrupting(house.storage, () => {
        if (isArmed) writeFileSync(house.path('c.json'), text);
        isArmed = false;
      });
      const { catalog } = house.open({}, storage);
      await catalog.search(house.call(), { text: 'x', limit: 1 });
      isArmed = true;
      const keyed = () => house.call({ idempotencyKey: 'k', requestHash: 'h' });
      const changes = [
        { id: 'a', before: state.find('a')!.etag, after: toEntry({ id: 'a', body: 'second' }) },
        { id: 'b', before: state.find('b')!.etag, after: null },
        { id: 'd', before: null, after: entries[3]! },
        { id: 'c', before: state.find('c')!.etag, after: toEntry({ id: 'c', body: 'second' }) },
      ];
      await expect(catalog.commit(keyed(), changes)).rejects.toMatchObject({ code: 'CONFLICT' });
      const after = await catalog.state(house.call());
      expect(after.entries.map(({ id, body }) => `${id} ${body}`)).toEqual([
        'a first of a',
        'b first of b',
        'c by hand',
      ]);
      expect(after.hash).not.toBe(hash);
      expect((await catalog.search(house.call(), { text: 'second', limit: 5 })).total).toBe(0);
      expect((await catalog.search(house.call(), { text: 'first', limit: 5 })).total).toBe(2);
      expect(await catalog.listArchived(house.call(), 5)).toEqual([]);
      expect((await house.openRows()).every((row) => row.state === 'given-up')).toBe(true);
      expect((await catalog.reload(house.call())).hash).toBe(after.hash);
      // Repeated under its key it hears the same, although all would fit by now.
      writeFileSync(house.path('c.json'), toEntryText(entries[2]!));
      await catalog.state(house.call());
      await expect(catalog.commit(keyed(), changes)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('a request whose process was killed after the decision is finished when it is repeated under its key', async () => {
      const house = await openHouse();
      const broken = interrupting(house.storage, () => {
        if (isArmed) throw new Error('killed');
      });
      let isArmed = false;
      const keyed = () => house.call({ idempotencyKey: 'k', requestHash: 'h' });
      const changes = [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }];
      const first = house.open({}, broken);
      await first.catalog.state(house.call());
      const other = house.open();
      await other.catalog.state(house.call());
      isArmed = true;
      await expect(first.catalog.commit(keyed(), changes)).rejects.toThrow('killed');
      expect(await house.openRows()).toHaveLength(1);
      expect(existsSync(house.path('a.json'))).toBe(false);
      expect((await other.catalog.commit(keyed(), changes)).count).toBe(1);
      expect(await house.openRows()).toEqual([]);
      expect(await house.audited()).toEqual(['tester create a']);
      unlinkSync(house.path('a.json'));
      isArmed = false;
    });

    testFailingFlushes();
  });
}
