import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { createGitignore } from './gitignore.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'ff-ignore-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(path: string, content = ''): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), content);
}

/** The ignored paths, including those below an ignored folder. A path that others begin with is a folder. */
async function ignoredOf(paths: readonly string[]): Promise<readonly string[]> {
  const ignored = createGitignore(top);
  await ignored.enter('');
  const found = new Set<string>();
  for (const path of paths.toSorted()) {
    const isFolder = paths.some((other) => other.startsWith(`${path}/`));
    if (found.has(dirname(path)) || ignored.ignores(path, isFolder)) found.add(path);
    else if (isFolder) await ignored.enter(path);
  }
  return [...found];
}

describe('.gitignore', () => {
  test.each([
    ['matches a name at any depth', 'notes.md', ['notes.md', 'a/notes.md'], ['a', 'notes.mdx']],
    [
      'anchors a pattern with a slash at the start or inside',
      '/x.md\na/y.md',
      ['x.md', 'a/y.md'],
      ['a', 'a/x.md', 'y.md'],
    ],
    [
      'matches only folders with a slash at the end',
      'build/',
      ['build', 'build/a.md', 'c/build', 'c/build/b.md'],
      ['c', 'd', 'd/build'],
    ],
    [
      'stops a star at a slash, but not two stars',
      'a/*.md\nb/**/z',
      ['a/x.md', 'b/z', 'b/c/d/z'],
      ['a/b/x.md', 'b/c', 'b/zz'],
    ],
    ['negates patterns', '*.md\n!keep.md', ['a.md', 'c/b.md'], ['c', 'keep.md', 'c/keep.md']],
    ['does not negate inside an ignored folder', 'd\n!d/keep.md', ['d', 'd/keep.md'], ['keep.md']],
    ['lets later lines win', '!a.md\n*.md\n!b.md', ['a.md', 'c.md'], ['b.md']],
    ['escapes with a backslash', '\\#a\n\\!b\nc\\*\nd\\ ', ['#a', '!b', 'c*', 'd '], ['cc', 'd', 'b']],
    ['ignores comments, empty lines and trailing blanks', '#a\n\n  \na.md  \r\n/\n!', ['a.md'], ['#a', '  ', 'b']],
    [
      'matches sets and single characters',
      '[a-c]?.md\n[!x]z\n[[:digit:]]',
      ['b1.md', 'az', '7'],
      ['d1.md', 'b.md', 'xz', '77'],
    ],
    ['matches nothing with an unclosed set', '[a\nb[\n[[:none:]]\nc\\', [], ['[a', 'a', 'b[', 'n', 'c', 'c\\']],
    ['ignores a byte order mark', '\ufeffa.md', ['a.md'], ['b.md']],
  ])('%s', async (_rule, text, ignored, kept) => {
    put('.gitignore', text);
    expect(await ignoredOf([...ignored, ...kept])).toEqual(ignored.toSorted());
  });

  test('lets the file of an inner folder win and ignores files above the given folder', async () => {
    put('.gitignore', '*.md\n/a/c\n');
    put('a/.gitignore', '!one.md\n/b.txt\n');
    expect(await ignoredOf(['a', 'a/one.md', 'a/two.md', 'a/b.txt', 'a/c', 'b.txt', 'one.md'])).toEqual([
      ...['a/b.txt', 'a/c', 'a/two.md', 'one.md'],
    ]);
    top = join(top, 'a');
    expect(await ignoredOf(['one.md', 'two.md', 'c'])).toEqual([]);
    top = dirname(top);
  });

  test('ignores a .gitignore that is a link or a folder', async () => {
    put('rules', '*');
    symlinkSync('rules', join(top, '.gitignore'));
    mkdirSync(join(top, 'a', '.gitignore'), { recursive: true });
    expect(await ignoredOf(['a', 'a/b'])).toEqual([]);
  });

  test('limits the total size and the matching cost', async () => {
    put('.gitignore', '#'.repeat(knowledgeLimits.ignoreBytes));
    await createGitignore(top).enter('');
    put('a/.gitignore', '#');
    const both = createGitignore(top);
    await both.enter('');
    await expect(both.enter('a')).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });

    put('.gitignore', `${'*a'.repeat(1_000)}b\n`.repeat(400));
    const costly = createGitignore(top);
    await costly.enter('');
    expect(() => {
      for (let i = 0; i < 20_000; i += 1) costly.ignores('a'.repeat(250), false);
    }).toThrow(expect.objectContaining({ code: 'RESOURCE_LIMIT' }));
  });
});

/** git is the oracle. */
describe.skipIf(spawnSync('git', ['--version']).status !== 0)('.gitignore compared with git', () => {
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };
  const files = [
    'a/b/c/a',
    'a/b/b',
    'a/c',
    'a/.b',
    'b/a/b',
    'b/ab',
    'b/é',
    'c',
    'ab',
    'a b',
    'b ',
    '[a]',
    '-',
    'A-b',
    '#a',
    '!a',
  ];
  const all = [
    ...new Set(files.flatMap((file) => file.split('/').map((_, i, steps) => steps.slice(0, i + 1).join('/')))),
  ];
  const pieces =
    'a b c ab * ** ? / /**/ **/ /** *** ! # [ab] [!a] [^b-] [a-c] [] []a] [[:alpha:]] [[:x:]] [[: [a \\ \\* \\  \\[ . - é é? A'.split(
      / (?!$)/,
    );
  const line = fc
    .tuple(
      fc.constantFrom('', '', '', '!', '/', '**/', '#', '\ufeff'),
      fc.array(fc.constantFrom(...pieces), { maxLength: 5 }),
      fc.constantFrom('', '', '', '/', ' ', '\\ ', '\r', '\t'),
    )
    .map(([before, parts, behind]) => before + parts.join('') + behind);
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));

  /** Folders that one git looks at: its start takes longer than all their patterns. */
  const casesCount = 10;
  const cases = fc.array(fc.tuple(text, text), { minLength: casesCount, maxLength: casesCount });

  test('ignores the same paths for arbitrary patterns', async () => {
    execFileSync('git', ['init', '-q'], { cwd: top, env });
    const whole = top;
    const folders = Array.from({ length: casesCount }, (_, i) => `case-${i}`);
    for (const folder of folders) for (const file of files) put(`${folder}/${file}`);
    const paths = folders.flatMap((folder) => all.map((path) => `${folder}/${path}`));
    await fc.assert(
      fc.asyncProperty(cases, async (patterns) => {
        top = whole;
        for (const [i, [above, below]] of patterns.entries()) {
          put(`${folders[i]}/.gitignore`, above);
          put(`${folders[i]}/a/.gitignore`, below);
        }
        const asked = ['check-ignore', '--no-index', '--stdin', '-z'];
        const { stdout } = spawnSync('git', asked, { cwd: top, env, input: paths.join('\0'), encoding: 'utf8' });
        const theirs = stdout.split('\0').filter((path) => path !== '');
        const ours: string[] = [];
        for (const folder of folders) {
          top = join(whole, folder);
          ours.push(...(await ignoredOf(all)).map((path) => `${folder}/${path}`));
        }
        expect(ours).toEqual(theirs.toSorted());
      }),
      { numRuns: 150 / casesCount },
    );
    top = whole;
  }, 60_000);
});
