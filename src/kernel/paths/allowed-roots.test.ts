import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdir, mkdtemp, open, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../fault/fault.ts';
import { createAllowedRoots } from './allowed-roots.ts';

/** The content of every file that must not be read. */
const secret = 'SECRET';

async function plant(): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  const root = join(top, 'root');
  await mkdir(join(root, 'sub', 'deep'), { recursive: true });
  await mkdir(join(root, '.hidden'));
  await mkdir(join(root, 'data'));
  await mkdir(join(top, 'root-sibling'));
  await mkdir(join(top, 'outside', 'sub'), { recursive: true });
  for (const file of ['ok.txt', 'sub/ok.txt', 'sub/deep/ok.txt', 'with space.txt', 'a..b']) {
    await writeFile(join(root, file), 'fine');
  }
  const secrets = [
    'secret.txt',
    'root-sibling/secret.txt',
    'outside/secret.txt',
    'outside/sub/secret.txt',
    'outside/ok.txt',
    'root/.env',
    'root/.hidden/secret.txt',
    'root/sub/.secret.txt',
    'root/data/secret.txt',
    'root/..name.d',
  ];
  for (const file of secrets) await writeFile(join(top, file), secret);
  await symlink(join(top, 'outside'), join(root, 'link-out'));
  await symlink(join(top, 'outside', 'secret.txt'), join(root, 'link-secret'));
  await symlink(join('..', '..', 'secret.txt'), join(root, 'sub', 'link-up'));
  await symlink('link-secret', join(root, 'link-to-link'));
  await symlink(join(root, '.env'), join(root, 'link-env'));
  await symlink(join(root, 'sub'), join(root, 'link-in'));
  await symlink(root, join(top, 'link-root'));
  await symlink('/', join(root, 'link-fs'));
  await symlink('link-loop', join(root, 'link-loop'));
  return top;
}

describe('allowed roots', () => {
  let top: string;
  let root: string;
  beforeAll(async () => {
    top = await plant();
    root = join(top, 'root');
  });
  afterAll(() => rm(top, { recursive: true, force: true }));

  const guard = () => createAllowedRoots({ roots: [root], forbidden: [join(root, 'data')] });
  type Opener = (path: string) => Promise<FileHandle>;
  const guarded: Opener = async (path) => (await guard().open(path)).handle;

  /** 'refused', or the first bytes of the opened file. */
  async function outcome(opener: Opener, path: string): Promise<string> {
    let handle: FileHandle;
    try {
      handle = await opener(path);
    } catch (error) {
      return error instanceof Fault || (error as NodeJS.ErrnoException).code !== undefined ? 'refused' : String(error);
    }
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  it('open a file by its relative, absolute, roundabout and linked path, and return its real path', async () => {
    const paths = [
      'ok.txt',
      './sub/../ok.txt',
      'link-in/ok.txt',
      'with space.txt',
      'a..b',
      join(root, 'sub', 'ok.txt'),
    ];
    for (const path of paths) expect(await outcome(guarded, path), path).toBe('fine');
    const opened = await guard().open('link-in/deep/../ok.txt');
    expect(opened.realPath).toBe(join(root, 'sub', 'ok.txt'));
    expect(opened.stat.size).toBe(4n);
    await opened.handle.close();
  });

  it('open files of a root that is a link, by either spelling', async () => {
    const roots = createAllowedRoots({ roots: [join(top, 'link-root')] });
    const opener: Opener = async (path) => (await roots.open(path)).handle;
    expect(await outcome(opener, 'ok.txt')).toBe('fine');
    expect(await outcome(opener, join(root, 'ok.txt'))).toBe('fine');
    expect(await outcome(opener, join(top, 'link-root', 'ok.txt'))).toBe('fine');
    expect(await outcome(opener, 'link-secret')).toBe('refused');
  });

  it('reject hidden files, hidden folders, the data folder and links to them, and serve a root below a hidden folder', async () => {
    for (const path of ['.env', '.hidden/secret.txt', 'sub/.secret.txt', '..name.d', 'data/secret.txt', 'link-env']) {
      expect(await outcome(guarded, path), path).toBe('refused');
    }
    const below = createAllowedRoots({ roots: [join(root, '.hidden')] });
    expect(await outcome(async (path) => (await below.open(path)).handle, 'secret.txt')).toBe(secret);
  });

  it('reject everything if there are none', async () => {
    const none = createAllowedRoots({ roots: [] });
    for (const path of ['ok.txt', join(root, 'ok.txt')]) {
      expect(await outcome(async (given) => (await none.open(given)).handle, path)).toBe('refused');
    }
  });

  it('reject folders, the root itself, pipes, sockets, devices, loops and missing files, without blocking', async () => {
    expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0);
    const server = createServer().listen(join(root, 'socket'));
    await once(server, 'listening');
    const paths = [
      '.',
      '',
      'sub',
      root,
      'pipe',
      'socket',
      'link-fs/dev/null',
      'link-fs/dev/zero',
      'link-loop',
      'missing',
    ];
    for (const path of [...paths, '/dev/stdin', 'ok.txt/', 'ok.txt/.', 'a\0b', 'x'.repeat(100_000)]) {
      expect(await outcome(guarded, path), path.slice(0, 40)).toBe(path.startsWith('ok.txt/') ? 'fine' : 'refused');
    }
    server.close();
  });

  it('give the same answer for a missing file and a file outside', async () => {
    const faultOf = (path: string) =>
      guard()
        .open(path)
        .catch((error: unknown) => JSON.stringify(error));
    const answers = ['missing', '../secret.txt', '../nothing', 'link-secret', 'sub', '/etc/passwd'].map(faultOf);
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  /** Every combination of these, up to five long, after every beginning. */
  function* traversals(): Generator<string> {
    const steps = [
      '..',
      '.',
      '',
      'sub',
      'link-out',
      'link-fs',
      '..%2f',
      '%2e%2e',
      '..\\',
      '....',
      '..;',
      '.\u2024',
      '\uff0e\uff0e',
    ];
    const ends = ['secret.txt', '.env', 'link-secret', 'ok.txt'];
    const starts = ['', '/', './', `${root}/`, `${root}-sibling/`, `${top}/link-root/`, `${root}/../`, 'file://', '\\'];
    for (const start of starts) {
      for (const end of ends) yield start + end;
      for (const a of steps) {
        for (const end of ends) yield `${start}${a}/${end}`;
        for (const b of steps) {
          for (const end of ends) yield `${start}${a}/${b}/${end}`;
          for (const c of steps) for (const end of ends.slice(0, 2)) yield `${start}${a}/${b}/${c}/${end}`;
        }
      }
    }
  }

  async function tryAll(opener: Opener): Promise<{ tried: number; escaped: string[]; fine: number }> {
    const counts = { tried: 0, escaped: [] as string[], fine: 0 };
    for (const path of traversals()) {
      counts.tried += 1;
      const found = await outcome(opener, path);
      if (found === 'fine') counts.fine += 1;
      else if (found !== 'refused') counts.escaped.push(path);
      if (counts.escaped.length > 0) break;
    }
    return counts;
  }

  it('reject tens of thousands of traversals', async () => {
    const { tried, escaped, fine } = await tryAll(guarded);
    expect(escaped).toEqual([]);
    expect(tried).toBeGreaterThan(40_000);
    expect(fine).toBeGreaterThan(50);
  });

  it.each<[string, (path: string) => string | undefined]>([
    ['the beginning of the path', (path) => (resolve(root, path).startsWith(root) ? resolve(root, path) : undefined)],
    [
      'the folder at the beginning',
      (path) => (resolve(root, path).startsWith(root + sep) ? resolve(root, path) : undefined),
    ],
    ['two dots in the text', (path) => (path.includes('..') ? undefined : resolve(root, path))],
    ['a path joined to the root, its dots removed', (path) => join(root, path.replaceAll('../', ''))],
  ])('negative control: a guard that looks at %s lets some out', async (_what, check) => {
    const naive: Opener = async (path) => {
      const allowed = check(path);
      if (allowed === undefined) throw Object.assign(new Error('refused'), { code: 'REFUSED' });
      return open(allowed);
    };
    expect((await tryAll(naive)).escaped).toHaveLength(1);
  });

  it('stay closed while a folder on the path is repeatedly swapped for a link to the outside', async () => {
    const swapped = join(root, 'swapped');
    const swapper = spawn(
      process.execPath,
      [
        '--eval',
        `const fs = require('node:fs'); const [path, inside, outside] = process.argv.slice(1);
         const put = (target) => { fs.rmSync(path, { force: true }); fs.symlinkSync(target, path); };
         process.stdout.write('swapping');
         for (;;) { put(inside); put(outside); }`,
        swapped,
        join(root, 'sub'),
        join(top, 'outside'),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(swapper.stdout, 'data');
    const seen = new Map<string, number>();
    const raced: Opener = async (path) => (await guard().open(path)).handle;
    // Both states of the swap must occur, however the two processes are scheduled.
    for (let i = 0; i < 3_000 || (seen.size < 2 && i < 100_000); i += 1) {
      const found = await outcome(raced, 'swapped/ok.txt');
      seen.set(found, (seen.get(found) ?? 0) + 1);
    }
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    expect(seen.has(secret)).toBe(false);
    expect([...seen.keys()].sort()).toEqual(['fine', 'refused']);
  });

  it('negative control: a guard that checks the path before opening it leaks the secret', async () => {
    const swapped = join(root, 'overtaken');
    await symlink(join(root, 'sub'), swapped);
    const real = await realpath(swapped);
    await rm(swapped);
    await symlink(join(top, 'outside'), swapped);
    expect(real).toBe(join(await realpath(root), 'sub'));
    expect(await readFile(join(swapped, 'ok.txt'), 'utf8')).toBe(secret);
    expect(await outcome(guarded, 'overtaken/ok.txt')).toBe('refused');
  });
});
