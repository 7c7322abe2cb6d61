import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileSearch, findFiles, readTextFile } from './find-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fourfold-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string): string => join(folder, path);
function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), path);
  }
}

const notes: FileSearch<'note' | 'top'> = {
  formatOf(path, depth) {
    if (path.endsWith('.top')) return depth === 0 ? 'top' : undefined;
    return path.endsWith('.note') ? 'note' : undefined;
  },
  namedFormat: (path) => (path.endsWith('.note') ? 'note' : { reason: 'it is no note' }),
  isEntered: (name) => name !== 'closed',
  filesCount: 5,
  folderDepth: 2,
};

const pathsOf = async (paths: readonly string[], search = notes): Promise<readonly string[]> =>
  (await findFiles(paths.map(at), search)).files.map(({ path, format }) => `${path} ${format}`);

describe('named files', () => {
  test('are those of the folders, sorted by name, up to the requested depth', async () => {
    put('b.note', 'a/z.note', 'a/b/c.note', 'a/b/c/deeper.note', 'x.txt', 'closed/y.note', 'l.top', 'a/l.top');
    expect(await pathsOf([''])).toEqual(['a/b/c.note note', 'a/z.note note', 'b.note note', 'l.top top']);
  });

  test('are found even if a folder between them cannot be opened, which is reported', async () => {
    put('a/one.note', 'b/two.note', 'c/three.note');
    const { files, skipped } = await findFiles([at('')], {
      ...notes,
      isEntered(name, path) {
        if (path === 'b') rmSync(at('b'), { recursive: true });
        return name !== 'closed';
      },
    });
    expect(files.map(({ path }) => path)).toEqual(['a/one.note', 'c/three.note']);
    expect(skipped).toEqual([{ source: 'b', reason: 'it cannot be opened' }]);
  });

  test('are returned once, however often and by whatever path they were named', async () => {
    put('a/one.note', 'two.note');
    expect(await pathsOf(['a/one.note', '', 'a', 'a/../two.note'])).toEqual(['one.note note', 'two.note note']);
  });

  test('may be links if named themselves, and are skipped with a reason in a folder', async () => {
    put('real/one.note', 'named/x.txt');
    symlinkSync(at('real/one.note'), at('named/link.note'));
    symlinkSync(at('real'), at('named/folder'));
    const { files, skipped } = await findFiles([at('named')], notes);
    expect([files, skipped]).toEqual([[], [{ source: 'link.note', reason: 'it is a link or no plain file' }]]);
    expect(await pathsOf(['named/link.note'])).toEqual(['link.note note']);
    expect(await pathsOf(['named/folder'])).toEqual(['one.note note']);
  });

  test('are skipped with a reason if unwanted or not files, and a missing one is a fault', async () => {
    put('x.txt', 'one.note');
    execFileSync('mkfifo', [at('pipe.note')]);
    const { files, skipped } = await findFiles([at('x.txt'), at('pipe.note'), at('one.note')], notes);
    expect(files).toHaveLength(1);
    expect(skipped).toEqual([
      { source: 'x.txt', reason: 'it is no note' },
      { source: at('pipe.note'), reason: 'it is no plain file' },
    ]);
    await expect(findFiles([at('nothing')], notes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are limited in number', async () => {
    put(...Array.from({ length: 5 }, (_, i) => `n${i}.note`));
    expect(await pathsOf([''])).toHaveLength(5);
    put('n5.note');
    await expect(pathsOf([''])).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
    await expect(pathsOf([0, 1, 2, 3, 4, 5].map((i) => `n${i}.note`))).rejects.toMatchObject({
      code: 'RESOURCE_LIMIT',
    });
  });
});

describe('the text of a file', () => {
  const read = (path: string, bytesMax = 100) => readTextFile({ path, absolute: at(path) }, bytesMax);

  test('is complete, with its byte order mark', async () => {
    writeFileSync(at('a'), '\uFEFFgrüße');
    expect(await read('a')).toBe('\uFEFFgrüße');
    expect(await read('a', 10)).toBe('\uFEFFgrüße');
  });

  test.each([
    ['one byte too long', () => writeFileSync(at('a'), 'x'.repeat(101)), 'it has more than 100 bytes'],
    ['not UTF-8', () => writeFileSync(at('a'), Buffer.from([0x61, 0xff])), 'it is not UTF-8'],
    ['not there any more', () => {}, 'it cannot be opened'],
    ['a folder by now', () => mkdirSync(at('a')), 'it is no plain file'],
    ['a pipe by now, which nobody writes to', () => void execFileSync('mkfifo', [at('a')]), 'it is no plain file'],
  ])('is missing with a reason if the file is %s', async (_, make, reason) => {
    make();
    expect(await read('a')).toEqual({ source: 'a', reason });
  });
});
