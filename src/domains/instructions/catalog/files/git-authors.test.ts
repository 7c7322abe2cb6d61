import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readGitAuthors } from './git-authors.ts';
import { commitAll, type Git, gitIn, makeHostile } from './git-repository.fixture.ts';

const ada = 'Ada Lovelace <ada@example.org>';
const never = new AbortController().signal;

let top: string;
let folder: string;
let git: Git;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'fourfold-git-'));
  folder = join(top, 'repository', 'rules');
  mkdirSync(folder, { recursive: true });
  git = gitIn(join(top, 'repository'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const authorsOf = async (...names: readonly string[]) => {
  const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  return Object.fromEntries(await readGitAuthors(folder, files, never));
};

it.each(['sha1', 'sha256'])('names the author of files that are as committed, with %s', async (format) => {
  git(['init', '--quiet', `--object-format=${format}`]);
  put('a.json', 'one');
  commitAll(git);
  put('b.json', 'two');
  commitAll(gitIn(folder, 'Gräce\u0001', 'g@example.org'));
  put('c.json', 'not committed');
  expect(await authorsOf('a.json', 'b.json', 'c.json')).toEqual({ 'a.json': ada, 'b.json': 'Gräce <g@example.org>' });
  put('a.json', 'changed');
  expect(await authorsOf('a.json')).toEqual({});
});

it('finds nothing without a repository, without a commit, in a damaged repository and after an abort', async () => {
  put('a.json', 'one');
  expect(await authorsOf('a.json')).toEqual({});
  git(['init', '--quiet']);
  expect(await authorsOf('a.json')).toEqual({});
  commitAll(git);
  expect(await authorsOf('a.json')).toEqual({ 'a.json': ada });
  const bytes = readFileSync(join(folder, 'a.json'));
  expect((await readGitAuthors(folder, [{ name: 'a.json', bytes }], AbortSignal.abort())).size).toBe(0);
  writeFileSync(join(top, 'repository', '.git', 'HEAD'), 'nonsense');
  expect(await authorsOf('a.json')).toEqual({});
});

it('runs no program that the repository names', async () => {
  git(['init', '--quiet']);
  put('a.json', 'one');
  commitAll(git);
  const firstTree = git(['rev-parse', 'HEAD^{tree}']).trim();
  put('b.json', 'two');
  commitAll(git);
  const hostile = makeHostile(git, join(top, 'repository'), top);
  expect(await authorsOf('a.json', 'b.json')).toEqual({ 'a.json': ada, 'b.json': ada });
  expect(hostile.wasRun()).toBe(false);
  // Negative control: with the repository's configuration git runs them.
  expect(hostile.runs(['log', '-1'])).toBe(true);
  expect(hostile.runs(['status'])).toBe(true);

  // The tree of the first commit is lost: git cannot tell the author and tries to fetch the tree.
  rmSync(join(top, 'repository', '.git', 'objects', firstTree.slice(0, 2), firstTree.slice(2)));
  expect(await authorsOf('a.json')).toEqual({});
  expect(hostile.wasRun()).toBe(false);
  expect(hostile.runs(['-c', 'log.showSignature=false', 'log', '-1', '--format=%an', '--', 'rules/a.json'])).toBe(true);
});
