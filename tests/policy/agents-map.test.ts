import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource, root } from './tree.ts';

/** The folders in the first column of the map in AGENTS.md. */
const foldersIn = (text: string): readonly string[] =>
  [...text.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, path]) => path!);

const subfolders = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

const isListed = (path: string, listed: readonly string[]): boolean =>
  listed.some((folder) => folder === path || folder.startsWith(`${path}/`));

const findUnlisted = (listed: readonly string[]): readonly string[] =>
  ['src', 'src/domains', 'src/surfaces', 'tests'].flatMap(subfolders).filter((path) => !isListed(path, listed));

const listed = foldersIn(readSource('AGENTS.md').text);

test('the map in AGENTS.md lists every folder, and each exists', () => {
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(findUnlisted(listed)).toEqual([]);
});

test('finds a folder that is not listed', () => {
  expect(findUnlisted(listed.filter((path) => path !== 'tests/cli'))).toEqual(['tests/cli']);
});
