import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { insertJournal, putSeen } from '#domains/instructions/catalog/catalog-store.ts';
import { etagOf, toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { testFailingFlushes } from './failing-flush.contract.ts';
import { toEntry } from './open-catalog.fixture.ts';

type House = Awaited<ReturnType<typeof openCatalogFolder>>;

/** As a process leaves it that was killed right after its decision. */
const decide = (folder: House, id: string, before: string | null, after: string | null) =>
  folder.storage.write(folder.call({ actor: 'killed' }), function* (db) {
    const etags = { before_etag: before && etagOf(before), after_etag: after && etagOf(after) };
    yield* insertJournal(db, { batch: `batch-${id}`, id, ...etags, document: after });
    if (after !== null) yield* putSeen(db, id, etagOf(after));
    yield* db.changed(instructionTopic, id, 'update', 'x');
  });

/** Runs a callback right after a write of the catalog. */
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
      const folder = await openCatalogFolder();
      if (onDisk !== null) writeFileSync(folder.path('a.json'), onDisk);
      await decide(folder, 'a', before, after);
      const { catalog } = folder.open();
      const state = await catalog.state(folder.call());
      expect(state.find('a')?.etag).toBe(after === null ? undefined : etagOf(after));
      expect(existsSync(folder.path('a.json'))).toBe(after !== null);
      if (after !== null) expect(readFileSync(folder.path('a.json'), 'utf8')).toBe(after);
      expect(await folder.journalRows()).toEqual([]);
      expect(readdirSync(folder.folders.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });

    test.each([
      ['an editor’s text', three],
      ['nothing', null],
    ])('is given up when %s is in its place, which is served, searchable and audited', async (_what, onDisk) => {
      const folder = await openCatalogFolder();
      if (onDisk !== null) writeFileSync(folder.path('a.json'), onDisk);
      await decide(folder, 'a', one, two);
      const { catalog, log } = folder.open();
      expect((await catalog.state(folder.call())).find('a')?.entry.body).toBe(
        onDisk === null ? undefined : 'state three',
      );
      expect((await catalog.search(folder.call(), { text: 'three', limit: 5 })).total).toBe(onDisk === null ? 0 : 1);
      expect(await folder.journalRows()).toEqual([{ id: 'a', state: 'given-up' }]);
      expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([{ id: 'a' }]);
      expect((await folder.auditRows()).at(-1)).toBe(`outside ${onDisk === null ? 'delete' : 'update'} a`);
    });

    test('of another process is left alone for a moment and then finished by a running process', async () => {
      const folder = await openCatalogFolder();
      let skewMs = 0;
      const { catalog } = folder.open({ clock: { now: () => Date.now() + skewMs } });
      await catalog.state(folder.call());
      await decide(folder, 'a', null, two);
      expect((await catalog.state(folder.call())).count).toBe(0);
      expect(await folder.journalRows()).toHaveLength(1);
      skewMs = 3_000;
      expect((await catalog.state(folder.call())).count).toBe(1);
      expect(await folder.journalRows()).toEqual([]);
    });

    test('an edit between decision and rename is a conflict: the whole batch is undone and the edit stays', async () => {
      const folder = await openCatalogFolder();
      const first = folder.open();
      const entries = ['a', 'b', 'c', 'd'].map((id) => toEntry({ id, body: `first of ${id}` }));
      const creations = entries.slice(0, 3).map((after) => ({ id: after.id, before: null, after }));
      const state = await first.catalog.commit(folder.call(), creations);
      const { hash } = state;
      await first.close();
      const text = toEntryText(toEntry({ id: 'c', body: 'by hand' }));
      let isArmed = false;
      const storage = interrupting(folder.storage, () => {
        if (isArmed) writeFileSync(folder.path('c.json'), text);
        isArmed = false;
      });
      const { catalog } = folder.open({}, storage);
      await catalog.search(folder.call(), { text: 'x', limit: 1 });
      isArmed = true;
      const keyed = () => folder.call({ idempotencyKey: 'k', requestHash: 'h' });
      const changes = [
        { id: 'a', before: state.find('a')!.etag, after: toEntry({ id: 'a', body: 'second' }) },
        { id: 'b', before: state.find('b')!.etag, after: null },
        { id: 'd', before: null, after: entries[3]! },
        { id: 'c', before: state.find('c')!.etag, after: toEntry({ id: 'c', body: 'second' }) },
      ];
      await expect(catalog.commit(keyed(), changes)).rejects.toMatchObject({ code: 'CONFLICT' });
      const after = await catalog.state(folder.call());
      expect(after.entries.map(({ id, body }) => `${id} ${body}`)).toEqual([
        'a first of a',
        'b first of b',
        'c by hand',
      ]);
      expect(after.hash).not.toBe(hash);
      expect((await catalog.search(folder.call(), { text: 'second', limit: 5 })).total).toBe(0);
      expect((await catalog.search(folder.call(), { text: 'first', limit: 5 })).total).toBe(2);
      expect(await catalog.listArchived(folder.call(), 5)).toEqual([]);
      expect((await folder.journalRows()).every((row) => row.state === 'given-up')).toBe(true);
      expect((await catalog.reload(folder.call())).hash).toBe(after.hash);
      // Repeated under its key it gets the same answer, although it could succeed now.
      writeFileSync(folder.path('c.json'), toEntryText(entries[2]!));
      await catalog.state(folder.call());
      await expect(catalog.commit(keyed(), changes)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('a request whose process was killed after the decision is finished when it is repeated under its key', async () => {
      const folder = await openCatalogFolder();
      const broken = interrupting(folder.storage, () => {
        if (isArmed) throw new Error('killed');
      });
      let isArmed = false;
      const keyed = () => folder.call({ idempotencyKey: 'k', requestHash: 'h' });
      const changes = [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }];
      const first = folder.open({}, broken);
      await first.catalog.state(folder.call());
      const other = folder.open();
      await other.catalog.state(folder.call());
      isArmed = true;
      await expect(first.catalog.commit(keyed(), changes)).rejects.toThrow('killed');
      expect(await folder.journalRows()).toHaveLength(1);
      expect(existsSync(folder.path('a.json'))).toBe(false);
      expect((await other.catalog.commit(keyed(), changes)).count).toBe(1);
      expect(await folder.journalRows()).toEqual([]);
      expect(await folder.auditRows()).toEqual(['tester create a']);
      unlinkSync(folder.path('a.json'));
      isArmed = false;
    });

    testFailingFlushes();
  });
}
