import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { toEntry } from './open-catalog.fixture.ts';

/** Files are the authority: every edit is served, audited and searchable. */
export function describeOutsideEdits(): void {
  describe('an instructions folder that others edit', () => {
    test('get serves a new file immediately, lists and searches follow, and it is audited', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open();
      expect((await catalog.state(folder.call())).count).toBe(0);
      writeFileSync(folder.path('a.json'), '{"id":"a","body":"Say why in every commit."}');
      expect(await catalog.lookUp(folder.call(), 'a')).toMatchObject({
        lateMaterialized: true,
        found: { entry: { id: 'a', owner: 'unowned' } },
      });
      expect(await catalog.lookUp(folder.call(), 'a')).toMatchObject({ lateMaterialized: false });
      expect((await catalog.state(folder.call())).count).toBe(1);
      expect((await catalog.search(folder.call(), { text: 'commit', limit: 5 })).total).toBe(1);
      expect(await folder.auditRows()).toEqual(['outside create a']);
      expect(readFileSync(folder.path('a.json'), 'utf8')).toBe('{"id":"a","body":"Say why in every commit."}');
    });

    test('lists see edits in place, by rename, and deletions, even of equal length within one tick', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open();
      const bodyOf = async () => (await catalog.state(folder.call())).find('a')?.entry.body;
      const save = (body: string) => writeFileSync(folder.path('a.json'), toEntryText(toEntry({ id: 'a', body })));
      for (let i = 0; i < 50; i += 1) {
        save(`body ${i % 10}`);
        expect(await bodyOf()).toBe(`body ${i % 10}`);
        expect((await catalog.lookUp(folder.call(), 'a')).found?.entry.body).toBe(`body ${i % 10}`);
      }
      writeFileSync(folder.path('a.json~'), toEntryText(toEntry({ id: 'a', body: 'renamed' })));
      renameSync(folder.path('a.json~'), folder.path('a.json'));
      expect(await bodyOf()).toBe('renamed');
      expect((await catalog.search(folder.call(), { text: 'renamed', limit: 5 })).total).toBe(1);
      unlinkSync(folder.path('a.json'));
      expect(await bodyOf()).toBeUndefined();
      expect((await catalog.search(folder.call(), { text: 'renamed', limit: 5 })).total).toBe(0);
      expect((await folder.auditRows()).at(-1)).toBe('outside delete a');
    });

    test('the file watcher alone detects an edit in place, without a sweep', async () => {
      const folder = await openCatalogFolder();
      writeFileSync(folder.path('a.json'), toEntryText(toEntry({ id: 'a', body: 'one' })));
      const { catalog } = folder.open({ sweepEveryMs: 1e9 });
      expect((await catalog.state(folder.call())).find('a')?.entry.body).toBe('one');
      writeFileSync(folder.path('a.json'), toEntryText(toEntry({ id: 'a', body: 'two' })));
      await expect
        .poll(async () => (await catalog.state(folder.call())).find('a')?.entry.body, { timeout: 120_000, interval: 5 })
        .toBe('two');
    });

    test('sees a hundred files that a checkout adds and removes together, each audited once by two processes', async () => {
      const folder = await openCatalogFolder();
      const one = folder.open();
      const otherStorage = await folder.place.open();
      const other = folder.open({}, otherStorage);
      for (const { catalog } of [one, other]) await catalog.state(folder.call());
      for (let i = 0; i < 100; i += 1) {
        const text = toEntryText(toEntry({ id: `n${i}`, body: `number ${i}` }));
        writeFileSync(folder.path(`.git-${i}`), text);
        renameSync(folder.path(`.git-${i}`), folder.path(`n${i}.json`));
      }
      const states = await Promise.all([one, other].map(({ catalog }) => catalog.state(folder.call())));
      expect(states.map(({ count }) => count)).toEqual([100, 100]);
      for (const { catalog } of [one, other]) {
        expect((await catalog.search(folder.call(), { text: 'number', limit: 200 })).total).toBe(100);
      }
      expect(await folder.auditRows()).toHaveLength(100);
      for (let i = 0; i < 50; i += 1) unlinkSync(folder.path(`n${i}.json`));
      expect((await other.catalog.state(folder.call())).count).toBe(50);
      expect((await one.catalog.search(folder.call(), { text: 'number', limit: 200 })).total).toBe(50);
      expect((await other.catalog.search(folder.call(), { text: 'number', limit: 200 })).total).toBe(50);
      expect(await folder.auditRows()).toHaveLength(150);
      await other.close();
      await otherStorage.close();
    });

    test('loads, indexes in bulk and audits a thousand files of a fresh clone, and edits made while no process ran', async () => {
      const folder = await openCatalogFolder();
      for (let i = 0; i < 1_000; i += 1) {
        writeFileSync(folder.path(`n${i}.json`), toEntryText(toEntry({ id: `n${i}`, body: `number ${i}` })));
      }
      const first = folder.open();
      expect((await first.catalog.state(folder.call())).count).toBe(1_000);
      expect((await first.catalog.search(folder.call(), { text: 'number', limit: 5 })).total).toBe(1_000);
      expect(await folder.auditRows()).toHaveLength(1_000);
      await first.close();
      writeFileSync(folder.path('n7.json'), toEntryText(toEntry({ id: 'n7', body: 'seventh heaven' })));
      unlinkSync(folder.path('n8.json'));
      const second = folder.open();
      expect((await second.catalog.search(folder.call(), { text: 'heaven', limit: 5 })).total).toBe(1);
      expect((await second.catalog.search(folder.call(), { text: 'number', limit: 5 })).total).toBe(998);
      expect((await folder.auditRows()).slice(1_000).sort()).toEqual(['outside delete n8', 'outside update n7']);
    });

    test('a tool change of an entry that an editor replaced is a conflict, and the edit stays', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open();
      const state = await catalog.commit(folder.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      const edited = toEntryText(toEntry({ id: 'a', body: 'By hand.' }));
      writeFileSync(folder.path('a.json'), edited);
      const { etag } = state.find('a')!;
      for (const after of [toEntry({ id: 'a', body: 'By tool.' }), null]) {
        const late = catalog.commit(folder.call(), [{ id: 'a', before: etag, after }]);
        await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
      }
      expect(readFileSync(folder.path('a.json'), 'utf8')).toBe(edited);
      expect((await catalog.state(folder.call())).find('a')?.entry.body).toBe('By hand.');
      expect((await catalog.search(folder.call(), { text: 'hand', limit: 5 })).total).toBe(1);
      expect(await folder.journalRows()).toEqual([]);
    });

    test('every write increments the version file, and deleting it causes a full reload', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open({ sweepEveryMs: 1e9 });
      for (const id of ['a', 'b']) await catalog.commit(folder.call(), [{ id, before: null, after: toEntry({ id }) }]);
      expect(readFileSync(folder.path('.catalog-version'), 'utf8')).toBe('2\n');
      expect(readdirSync(folder.folders.folder).sort()).toEqual(['.catalog-version', 'a.json', 'b.json']);
      rmSync(folder.path('a.json'));
      renameSync(folder.path('.catalog-version'), join(folder.folders.folder, 'old-version'));
      expect((await catalog.state(folder.call())).entries.map(({ id }) => id)).toEqual(['b']);
      await catalog.commit(folder.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      expect(readFileSync(folder.path('.catalog-version'), 'utf8')).toBe('1\n');
    });

    test('follows a folder that is removed and put back', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open();
      await catalog.commit(folder.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      renameSync(folder.folders.folder, `${folder.folders.folder}-away`);
      expect((await catalog.state(folder.call())).count).toBe(0);
      mkdirSync(folder.folders.folder);
      writeFileSync(folder.path('b.json'), toEntryText(toEntry({ id: 'b' })));
      expect((await catalog.state(folder.call())).entries.map(({ id }) => id)).toEqual(['b']);
      rmSync(folder.folders.folder, { recursive: true });
      const state = await catalog.commit(folder.call(), [{ id: 'c', before: null, after: toEntry({ id: 'c' }) }]);
      expect(state.find('c')?.entry.id).toBe('c');
    });
  });
}
