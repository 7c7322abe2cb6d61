import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { toEntry } from './open-catalog.fixture.ts';

/** Invalid files are reported, never block, and do not hide valid entries. */
export function describeBadFiles(): void {
  describe('an instructions folder with invalid files', () => {
    const good = toEntryText(toEntry({ id: 'good' }));

    test('reports each invalid file with its reason and serves the valid one', async () => {
      const folder = await openCatalogFolder();
      const { path } = folder;
      writeFileSync(path('good.json'), good);
      writeFileSync(path('cut.json'), good.slice(0, 40));
      writeFileSync(path('empty.json'), '');
      writeFileSync(path('latin.json'), Buffer.from('{"id":"latin","body":"gr\xfc\xdfe"}', 'latin1'));
      writeFileSync(path('other.json'), good);
      writeFileSync(path('schema.json'), '{"id":"schema","body":7}');
      writeFileSync(path('list.json'), '[]');
      writeFileSync(path('Upper.json'), good);
      writeFileSync(path('two words.json'), good);
      writeFileSync(path('huge.json'), JSON.stringify({ id: 'huge', body: 'x'.repeat(1024 * 1024) }));
      writeFileSync(path('long.json'), JSON.stringify({ id: 'long', body: 'x '.repeat(30_000) }));
      writeFileSync(path('blank.json'), JSON.stringify({ id: 'blank', body: ' \n\t ' }));
      symlinkSync(path('good.json'), path('link.json'));
      symlinkSync('/dev/zero', path('zero.json'));
      symlinkSync(path('nowhere.json'), path('dangling.json'));
      mkdirSync(path('folder.json'));
      expect(spawnSync('mkfifo', [path('pipe.json')]).status).toBe(0);
      for (const name of ['gates.json', 'owners.json', 'PROMPT-CRITERIA.json', '.x.json', 'x.json.tmp', 'notes.txt']) {
        writeFileSync(path(name), 'not an entry');
      }
      mkdirSync(path('snapshots'));
      const { catalog } = folder.open();
      const state = await catalog.state(folder.call());
      expect(state.entries.map(({ id }) => id)).toEqual(['good']);
      expect(Object.fromEntries(state.problems.map(({ file, problem }) => [file, problem]))).toEqual({
        'Upper.json': 'its id differs from its file name',
        'blank.json': 'its body is empty',
        'cut.json': 'not valid JSON, or truncated',
        'dangling.json': 'a symbolic link',
        'empty.json': 'the file is empty',
        'folder.json': 'a folder',
        'huge.json': 'larger than 1048576 bytes',
        'latin.json': 'not valid UTF-8',
        'link.json': 'a symbolic link',
        'list.json': 'not a JSON object',
        'long.json': 'its body has more than 50000 characters',
        'other.json': 'its id differs from its file name',
        'pipe.json': 'not a regular file',
        'schema.json': expect.stringContaining('body: '),
        'two words.json': 'its name is not a valid id (a-z, 0-9, - and _)',
        'zero.json': 'a symbolic link',
      });
      expect(await catalog.lookUp(folder.call(), 'pipe')).toEqual({
        found: undefined,
        lateMaterialized: false,
        problem: { file: 'pipe.json', problem: 'not a regular file' },
      });
      for (const id of ['pipe', 'folder', 'link', 'cut']) {
        const over = catalog.commit(folder.call(), [{ id, before: null, after: toEntry({ id }) }]);
        await expect(over, id).rejects.toMatchObject({ code: 'CONFLICT' });
      }
      expect(await catalog.state(folder.call())).toBe(state);
    });

    test('stops serving an entry that becomes invalid and serves it again when it is repaired', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open();
      writeFileSync(folder.path('good.json'), good);
      const first = await catalog.state(folder.call());
      expect(first.problems).toEqual([]);
      writeFileSync(folder.path('good.json'), good.slice(0, 30));
      const broken = await catalog.state(folder.call());
      expect(broken).toMatchObject({
        count: 0,
        problems: [{ file: 'good.json', problem: 'not valid JSON, or truncated' }],
      });
      expect((await catalog.search(folder.call(), { text: 'well', limit: 5 })).total).toBe(0);
      writeFileSync(folder.path('good.json'), good);
      expect(await catalog.state(folder.call())).toMatchObject({ count: 1, problems: [], hash: first.hash });
      writeFileSync(folder.path('bad.json'), '{');
      expect((await catalog.state(folder.call())).problems).toHaveLength(1);
      rmSync(folder.path('bad.json'));
      expect((await catalog.state(folder.call())).problems).toEqual([]);
    });

    test('waits for a file that is being saved and does not report it as gone', async () => {
      const folder = await openCatalogFolder();
      const { catalog } = folder.open({ readRetries: 500 });
      writeFileSync(folder.path('good.json'), good);
      await catalog.search(folder.call(), { text: 'well', limit: 1 });
      writeFileSync(folder.path('good.json'), '');
      const looking = catalog.lookUp(folder.call(), 'good');
      writeFileSync(folder.path('good.json'), good);
      expect((await looking).found?.entry.id).toBe('good');
      expect(await folder.auditRows()).toEqual(['outside create good']);
    });

    test('reports a folder path that is not a folder as unusable, without the path', async () => {
      const folder = await openCatalogFolder();
      rmSync(folder.folders.folder, { recursive: true });
      writeFileSync(folder.folders.folder, 'a file');
      const { catalog } = folder.open();
      const failure = await catalog.state(folder.call()).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(String(failure)).not.toContain(folder.folders.folder);
      rmSync(folder.folders.folder);
      expect((await catalog.state(folder.call())).count).toBe(0);
      writeFileSync(folder.folders.folder, 'a file');
      const write = catalog.commit(folder.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await folder.auditRows()).toEqual([]);
    });
  });
}
