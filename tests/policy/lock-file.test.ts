import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tree.ts';

interface LockedPackage {
  readonly hasInstallScript?: boolean;
  readonly libc?: readonly string[];
}

type Packages = Readonly<Record<string, LockedPackage>>;

const scriptNames = ['preinstall', 'install', 'postinstall'];

/** npm also counts a native module without a script, because it would compile it. */
function hasInstallScript(folder: string): boolean {
  if (existsSync(join(folder, 'binding.gyp'))) return true;
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly scripts?: Readonly<Record<string, string>>;
  };
  return scriptNames.some((name) => Object.hasOwn(scripts, name));
}

/** Entries that some version of npm changes when it installs, so that a clean clone has a changed file. */
const findUnstableEntries = (packages: Packages, isNative: (path: string) => boolean): readonly string[] =>
  Object.entries(packages).flatMap(([path, { hasInstallScript: isMarked, libc }]) => [
    // npm 11 writes it, npm 10 removes it.
    ...(libc === undefined ? [] : [`${path}: remove libc`]),
    ...(isMarked !== true && isNative(path) ? [`${path}: add "hasInstallScript": true`] : []),
  ]);

test('no version of npm changes the lock file when it installs', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Packages };
  const isNative = (path: string): boolean =>
    path.startsWith('node_modules/') &&
    existsSync(join(root, path, 'package.json')) &&
    hasInstallScript(join(root, path));
  expect(findUnstableEntries(packages, isNative)).toEqual([]);
});

test('reports a missing mark and an entry that only some versions write', () => {
  const packages = { a: { libc: ['glibc'] }, b: {}, c: { hasInstallScript: true } };
  expect(findUnstableEntries(packages, (path) => path !== 'a')).toEqual([
    'a: remove libc',
    'b: add "hasInstallScript": true',
  ]);
});
