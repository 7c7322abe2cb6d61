import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chooseFileRoots, type FileRootsOptions } from './file-roots.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'ff-file-roots-')));
const [userHome, dataFolder, project] = [join(top, 'users/ada'), join(top, 'data/fourfold'), join(top, 'project')];
for (const folder of [userHome, dataFolder, project]) mkdirSync(folder, { recursive: true });
symlinkSync(userHome, join(top, 'home-link'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const choose = (options: Partial<FileRootsOptions>) =>
  chooseFileRoots({ configured: undefined, surface: 'stdio', cwd: project, userHome, dataFolder, ...options });

describe('[TR52] the folders that tools may read', () => {
  test('are by default the working directory, and none over HTTP', () => {
    for (const surface of ['stdio', 'cli'] as const) expect(choose({ surface })).toEqual({ roots: [project] });
    const below = join(userHome, 'invoices');
    expect(choose({ cwd: below })).toEqual({ roots: [below] });
    expect(choose({ surface: 'http' })).toEqual({ roots: [], whyNone: expect.stringContaining('HTTP') });
  });

  test.each([
    ['the root of the file system', '/', 'root of the file system'],
    ['the home folder', userHome, 'home folder'],
    ['the home folder by another path', join(top, 'home-link'), 'home folder'],
    ['a folder that contains the home folder', join(top, 'users'), 'home folder'],
    ['the data folder', dataFolder, 'data folder'],
    ['a folder that contains the data folder', join(top, 'data'), 'data folder'],
    ['a folder inside the data folder', join(dataFolder, 'blobs'), 'data folder'],
  ])('are none if the working directory is %s', (_what, cwd, reason) => {
    for (const surface of ['stdio', 'cli'] as const) {
      expect(choose({ cwd, surface })).toEqual({ roots: [], whyNone: expect.stringContaining(reason) });
    }
  });

  test('are the configured ones wherever the program starts', () => {
    const configured = [project];
    for (const cwd of ['/', userHome, dataFolder, project])
      for (const surface of ['stdio', 'cli', 'http'] as const)
        expect(choose({ configured, cwd, surface }).roots).toEqual(configured);
    expect(choose({ configured: [] })).toEqual({ roots: [], whyNone: expect.stringContaining('fileRoots') });
  });

  test('do not depend on folders that only start with the same letters', () => {
    const cwd = join(top, 'users/ad');
    expect(choose({ cwd })).toEqual({ roots: [cwd] });
  });
});
