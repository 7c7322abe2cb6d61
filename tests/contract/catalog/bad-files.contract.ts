import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { openHouse } from './folder-house.ts';
import { toEntry } from './open-catalog.ts';

/** Whatever stands in the folder: it is reported, keeps nobody waiting, and hides no good entry. */
export function describeBadFiles(): void {
  describe('an instructions folder with bad files', () => {
    const good = toEntryText(toEntry({ id: 'good' }));

    test('every kind is reported by its name with its reason, and the good one is served', async () => {
      const house = await openHouse();
      const { path } = house;
      writeFileSync(path('good.json'), good);
      writeFileSync(path('cut.json'), good.slice(0, 40));
      writeFileSync(path('empty.json'), '');
      writeFileSync(path('latin.json'), Buffer.from('{"id":"latin","body":"gr\xfc\xdfe"}', 'latin1'));
      writeFileSync(path('other.json'), good);
      writeFileSync(path('schema.json'), '{"id":"schema","body":7}');
      writeFileSync(path('list.json'), '[]');
      writeFileSync(path('Upper.json'), good);
      writeFileSync(path('huge.json'), JSON.stringify({ id: 'huge', body: 'x'.repeat(1024 * 1024) }));
      symlinkSync(path('good.json'), path('link.json'));
      symlinkSync('/dev/zero', path('zero.json'));
      symlinkSync(path('nowhere.json'), path('dangling.json'));
      mkdirSync(path('folder.json'));
      expect(spawnSync('mkfifo', [path('pipe.json')]).status).toBe(0);
      for (const name of ['gates.json', 'owners.json', 'PROMPT-CRITERIA.json', '.x.json', 'x.json.tmp', 'notes.txt']) {
        writeFileSync(path(name), 'not an entry');
      }
      mkdirSync(path('snapshots'));
      const { catalog } = house.open();
      const state = await catalog.state(house.call());
      expect(state.entries.map(({ id }) => id)).toEqual(['good']);
      expect(Object.fromEntries(state.problems.map(({ file, problem }) => [file, problem]))).toEqual({
        'Upper.json': 'its name is not a valid id (a-z, 0-9, - and _)',
        'cut.json': 'not valid JSON, or truncated',
        'dangling.json': 'a symbolic link',
        'empty.json': 'the file is empty',
        'folder.json': 'a folder',
        'huge.json': 'larger than 1048576 bytes',
        'latin.json': 'not valid UTF-8',
        'link.json': 'a symbolic link',
        'list.json': 'not a JSON object',
        'other.json': 'its id differs from its file name',
        'pipe.json': 'not a regular file',
        'schema.json': expect.stringContaining('body: '),
        'zero.json': 'a symbolic link',
      });
      expect(await catalog.lookUp(house.call(), 'pipe')).toEqual({
        found: undefined,
        lateMaterialized: false,
        problem: { file: 'pipe.json', problem: 'not a regular file' },
      });
      for (const id of ['pipe', 'folder', 'link', 'cut']) {
        const over = catalog.commit(house.call(), [{ id, before: null, after: toEntry({ id }) }]);
        await expect(over, id).rejects.toMatchObject({ code: 'CONFLICT' });
      }
      expect(await catalog.state(house.call())).toBe(state);
    });

    test('a good entry that breaks is set aside, and served again when it is mended', async () => {
      const house = await openHouse();
      const { catalog } = house.open();
      writeFileSync(house.path('good.json'), good);
      const first = await catalog.state(house.call());
      expect(first.problems).toEqual([]);
      writeFileSync(house.path('good.json'), good.slice(0, 30));
      const broken = await catalog.state(house.call());
      expect(broken).toMatchObject({
        count: 0,
        problems: [{ file: 'good.json', problem: 'not valid JSON, or truncated' }],
      });
      expect((await catalog.search(house.call(), { text: 'well', limit: 5 })).total).toBe(0);
      writeFileSync(house.path('good.json'), good);
      expect(await catalog.state(house.call())).toMatchObject({ count: 1, problems: [], hash: first.hash });
      writeFileSync(house.path('bad.json'), '{');
      expect((await catalog.state(house.call())).problems).toHaveLength(1);
      rmSync(house.path('bad.json'));
      expect((await catalog.state(house.call())).problems).toEqual([]);
    });

    test('a file in the middle of being saved is waited for, and nobody is told that it was gone', async () => {
      const house = await openHouse();
      const { catalog } = house.open({ readRetries: 500 });
      writeFileSync(house.path('good.json'), good);
      await catalog.search(house.call(), { text: 'well', limit: 1 });
      writeFileSync(house.path('good.json'), '');
      const looking = catalog.lookUp(house.call(), 'good');
      writeFileSync(house.path('good.json'), good);
      expect((await looking).found?.entry.id).toBe('good');
      expect(await house.audited()).toEqual(['outside create good']);
    });

    test('a folder that is no folder is said to be unusable, without its path', async () => {
      const house = await openHouse();
      rmSync(house.folders.folder, { recursive: true });
      writeFileSync(house.folders.folder, 'a file');
      const { catalog } = house.open();
      const failure = await catalog.state(house.call()).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(String(failure)).not.toContain(house.folders.folder);
      rmSync(house.folders.folder);
      expect((await catalog.state(house.call())).count).toBe(0);
      writeFileSync(house.folders.folder, 'a file');
      const write = catalog.commit(house.call(), [{ id: 'a', before: null, after: toEntry({ id: 'a' }) }]);
      await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await house.audited()).toEqual([]);
    });
  });
}
