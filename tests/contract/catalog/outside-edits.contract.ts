import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { openHouse } from './folder-house.ts';
import { toEntry } from './open-catalog.ts';

/** Files are the authority: whatever somebody does to them is served, audited and found. */
export function describeOutsideEdits(): void {
  describe('an instructions folder that others edit', () => {
    test('a file that is dropped in is served by get at once and by lists and searches, and audited as seen', async () => {
      const house = await openHouse();
      const { catalog } = house.open();
      expect((await catalog.state(house.call())).count).toBe(0);
      writeFileSync(house.path('a.json'), '{"id":"a","body":"Say why in every commit."}');
      expect(await catalog.lookUp(house.call(), 'a')).toMatchObject({
        lateMaterialized: true,
        found: { entry: { id: 'a', owner: 'unowned' } },
      });
      expect(await catalog.lookUp(house.call(), 'a')).toMatchObject({ lateMaterialized: false });
      expect((await catalog.state(house.call())).count).toBe(1);
      expect((await catalog.search(house.call(), { text: 'commit', limit: 5 })).total).toBe(1);
      expect(await house.audited()).toEqual(['outside create a']);
      expect(readFileSync(house.path('a.json'), 'utf8')).toBe('{"id":"a","body":"Say why in every commit."}');
    });

    test('an editor that saves in place or by rename, and a deletion, are seen by lists, even of equal length in one tick', async () => {
      const house = await openHouse();
      const { catalog } = house.open();
      const bodyOf = async () => (await catalog.state(house.call())).find('a')?.entry.body;
      const save = (body: string) => writeFileSync(house.path('a.json'), toEntryText(toEntry({ id: 'a', body })));
      for (let i = 0; i < 50; i += 1) {
        save(`body ${i % 10}`);
        expect(await bodyOf()).toBe(`body ${i % 10}`);
        expect((await catalog.lookUp(house.call(), 'a')).found?.entry.body).toBe(`body ${i % 10}`);
      }
      writeFileSync(house.path('a.json~'), toEntryText(toEntry({ id: 'a', body: 'renamed' })));
      renameSync(house.path('a.json~'), house.path('a.json'));
      expect(await bodyOf()).toBe('renamed');
      expect((await catalog.search(house.call(), { text: 'renamed', limit: 5 })).total).toBe(1);
      unlinkSync(house.path('a.json'));
      expect(await bodyOf()).toBeUndefined();
      expect((await catalog.search(house.call(), { text: 'renamed', limit: 5 })).total).toBe(0);
      expect((await house.audited()).at(-1)).toBe('outside delete a');
    });

    test('the watch alone is enough: nothing has to be swept for an edit in place', async () => {
      const house = await openHouse();
      writeFileSync(house.path('a.json'), toEntryText(toEntry({ id: 'a', body: 'one' })));
      const { catalog } = house.open({ sweepEveryMs: 1e9 });
      expect((await catalog.state(house.call())).find('a')?.entry.body).toBe('one');
      writeFileSync(house.path('a.json'), toEntryText(toEntry({ id: 'a', body: 'two' })));
      await expect
        .poll(async () => (await catalog.state(house.call())).find('a')?.entry.body, { timeout: 10_000, interval: 5 })
        .toBe('two');
    });

    test('a hundred files that a checkout puts in place and takes away at once are all seen, each audited once by two processes', async () => {
      const house = await openHouse();
      const one = house.open();
      const otherStorage = await house.place.open();
      const other = house.open({}, otherStorage);
      for (const { catalog } of [one, other]) await catalog.state(house.call());
      for (let i = 0; i < 100; i += 1) {
        const text = toEntryText(toEntry({ id: `n${i}`, body: `number ${i}` }));
        writeFileSync(house.path(`.git-${i}`), text);
        renameSync(house.path(`.git-${i}`), house.path(`n${i}.json`));
      }
      const states = await Promise.all([one, other].map(({ catalog }) => catalog.state(house.call())));
      expect(states.map(({ count }) => count)).toEqual([100, 100]);
      for (const { catalog } of [one, other]) {
        expect((await catalog.search(house.call(), { text: 'number', limit: 200 })).total).toBe(100);
      }
      expect(await house.audited()).toHaveLength(100);
      for (let i = 0; i < 50; i += 1) unlinkSync(house.path(`n${i}.json`));
      expect((await other.catalog.state(house.call())).count).toBe(50);
      expect((await one.catalog.search(house.call(), { text: 'number', limit: 200 })).total).toBe(50);
      expect((await other.catalog.search(house.call(), { text: 'number', limit: 200 })).total).toBe(50);
      expect(await house.audited()).toHaveLength(150);
      await other.close();
      await otherStorage.close();
    });

    test('a thousand files of a fresh clone are loaded, indexed in bulk and audited; what changed while nobody looked is, too', async () => {
      const house = await openHouse();
      for (let i = 0; i < 1_000; i += 1) {
        writeFileSync(house.path(`n${i}.json`), toEntryText(toEntry({ id: `n${i}`, body: `number ${i}` })));
      }
      const first = house.open();
      expect((await first.catalog.state(house.call())).count).toBe(1_000);
      expect((await first.catalog.search(house.call(), { text: 'number', limit: 5 })).total).toBe(1_000);
      expect(await house.audited()).toHaveLength(1_000);
      await first.close();
      writeFileSync(house.path('n7.json'), toEntryText(toEntry({ id: 'n7', body: 'seventh heaven' })));
      unlinkSync(house.path('n8.json'));
      const second = house.open();
      expect((await second.catalog.search(house.call(), { text: 'heaven', limit: 5 })).total).toBe(1);
      expect((await second.catalog.search(house.call(), { text: 'number', limit: 5 })).total).toBe(998);
      expect((await house.audited()).slice(1_000).sort()).toEqual(['outside delete n8', 'outside update n7']);
    });

    test('a change by tool of a state that an editor replaced is a conflict, and the editor’s text stays', async () => {
      const house = await openHouse();
      const { catalog } = house.open();
      const state = await catalog.commit(house.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      const edited = toEntryText(toEntry({ id: 'a', body: 'By hand.' }));
      writeFileSync(house.path('a.json'), edited);
      const { etag } = state.find('a')!;
      for (const after of [toEntry({ id: 'a', body: 'By tool.' }), null]) {
        const late = catalog.commit(house.call(), [{ id: 'a', before: etag, after }]);
        await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
      }
      expect(readFileSync(house.path('a.json'), 'utf8')).toBe(edited);
      expect((await catalog.state(house.call())).find('a')?.entry.body).toBe('By hand.');
      expect((await catalog.search(house.call(), { text: 'hand', limit: 5 })).total).toBe(1);
      expect(await house.openRows()).toEqual([]);
    });

    test('a write counts the version file up; taking it away makes everything be read again', async () => {
      const house = await openHouse();
      const { catalog } = house.open({ sweepEveryMs: 1e9 });
      for (const id of ['a', 'b']) await catalog.commit(house.call(), [{ id, before: null, after: toEntry({ id }) }]);
      expect(readFileSync(house.path('.catalog-version'), 'utf8')).toBe('2\n');
      expect(readdirSync(house.folders.folder).sort()).toEqual(['.catalog-version', 'a.json', 'b.json']);
      rmSync(house.path('a.json'));
      renameSync(house.path('.catalog-version'), join(house.folders.folder, 'old-version'));
      expect((await catalog.state(house.call())).entries.map(({ id }) => id)).toEqual(['b']);
      await catalog.commit(house.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      expect(readFileSync(house.path('.catalog-version'), 'utf8')).toBe('1\n');
    });

    test('a folder that is taken away and put back is followed', async () => {
      const house = await openHouse();
      const { catalog } = house.open();
      await catalog.commit(house.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      renameSync(house.folders.folder, `${house.folders.folder}-away`);
      expect((await catalog.state(house.call())).count).toBe(0);
      mkdirSync(house.folders.folder);
      writeFileSync(house.path('b.json'), toEntryText(toEntry({ id: 'b' })));
      expect((await catalog.state(house.call())).entries.map(({ id }) => id)).toEqual(['b']);
      rmSync(house.folders.folder, { recursive: true });
      const state = await catalog.commit(house.call(), [{ id: 'c', before: null, after: toEntry({ id: 'c' }) }]);
      expect(state.find('c')?.entry.id).toBe('c');
    });
  });
}
