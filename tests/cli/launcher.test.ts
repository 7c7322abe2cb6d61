import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeLauncherTree } from './launcher-tree.ts';

let tree: ReturnType<typeof makeLauncherTree>;
beforeEach(() => {
  tree = makeLauncherTree();
});
afterEach(() => tree.remove());

interface Said {
  readonly pid: number;
  readonly ppid: number;
  readonly argv: readonly string[];
  readonly cache?: string;
  /** A hash of the active V8 flags. */
  readonly flags: number;
  readonly mark: string | null;
}
const saidBy = (stdout: string): Said => JSON.parse(stdout.split('\n')[0]!);

/** The lines of a running program, one at a time. */
function linesOf(stream: Readable) {
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]();
  return { next: async () => JSON.parse((await lines.next()).value as string) };
}

describe('a Node that is new enough', () => {
  it('runs the program in the same process, with its arguments', async () => {
    tree.build();
    const child = tree.start(['say', '--x=1', 'a b']);
    const said = await linesOf(child.stdout).next();
    expect(said).toMatchObject({ pid: child.pid, argv: ['say', '--x=1', 'a b'] });
    await once(child, 'exit');
  });

  it("caches compiled code in the user's cache, not in the package", async () => {
    tree.build();
    const { cache } = saidBy((await tree.run(['say'])).stdout);
    expect(cache?.startsWith(join(tree.root, 'cache', 'fourfold', 'compiled'))).toBe(true);
    expect(existsSync(cache!)).toBe(true);
    expect(readdirSync(join(tree.root, 'dist'))).toEqual(['main.js']);
  });

  it('limits the space V8 takes for new objects, except in commands', async () => {
    tree.build();
    const flagsOf = async (args: readonly string[]) => saidBy((await tree.run([...args])).stdout).flags;
    const flagsAfter = (code: string) =>
      Number(execFileSync(process.execPath, ['-p', `${code}; v8.cachedDataVersionTag()`], { encoding: 'utf8' }));
    const limited = flagsAfter("v8.setFlagsFromString('--semi-space-growth-factor=1')");
    expect(limited).not.toBe(flagsAfter(''));
    expect(await flagsOf(['say'])).toBe(flagsAfter(''));
    expect(await flagsOf(['serve', 'say'])).toBe(limited);
    expect(await flagsOf(['--toolsets=all', 'say'])).toBe(limited);
  });

  it('prefers a small heap to speed while the heap is small', async () => {
    tree.build();
    const atEnd = async (...args: readonly string[]) => {
      const { stdout } = await tree.run(['serve', 'later', ...args]);
      const [first, later] = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Said).flags);
      return later === first ? 'speed' : 'size';
    };
    expect(await Promise.all([atEnd(), atEnd('large')])).toEqual(['size', 'speed']);
  });

  it('starts without a folder for the cache', async () => {
    tree.build();
    tree.writeFile('cache');
    expect(await tree.run(['exit', '0'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('reports in one line that the program is not built', async () => {
    const { code, stdout, stderr } = await tree.run([]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('fourfold is not built yet: run npm run build in its folder.\n');
  });
});

describe('a Node that is too old', () => {
  it('reports the required version in one line if no other Node exists', async () => {
    tree.build();
    const { code, stdout, stderr } = await tree.run(['exit', '0'], { old: true });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^fourfold needs Node 22\.12 or newer and this is 20\.20\.2: [^\n]+\n$/);
  });

  it.each(['node_modules', 'runtime/node_modules'])('runs the Node of a package in %s', async (under) => {
    tree.build();
    tree.carryNode('24.21.0', under);
    const child = tree.start(['say', 'a b'], { old: true });
    const said: Said = await linesOf(child.stdout).next();
    expect(said).toMatchObject({ ppid: child.pid, argv: ['say', 'a b'], mark: null });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ignores a packaged Node that is too old itself', async () => {
    tree.build();
    tree.carryNode('18.0.0');
    expect((await tree.run([], { old: true })).stderr).toContain('needs Node 22.12');
  });

  it('names the binary that could not be started', async () => {
    tree.build();
    tree.carryNode('24.0.0', 'node_modules', tree.writeFile('no-program'));
    const { code, stderr } = await tree.run([], { old: true });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^fourfold could not start .*node: .*\n$/);
  });

  it('passes on the exit code, the killing signal and the streams', async () => {
    tree.build();
    tree.carryNode('24.21.0');
    expect(await tree.run(['exit', '42'], { old: true })).toMatchObject({ code: 42, signal: null });
    expect(await tree.run(['die', 'SIGKILL'], { old: true })).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect((await tree.run(['echo'], { old: true, stdin: 'ping\n' })).stdout).toMatch(/\nping\n$/);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on, once', async (signal) => {
    tree.build();
    tree.carryNode('24.21.0');
    const child = tree.start(['wait'], { old: true });
    const lines = linesOf(child.stdout);
    await lines.next();
    child.kill(signal);
    expect(await lines.next()).toEqual({ signal });
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  // The pipe closes when the last process that writes to it is gone: no need to look for a process that may be a
  // zombie.
  it('ends the program, as on SIGTERM, when it is killed itself', async () => {
    tree.build();
    tree.carryNode('24.21.0');
    const child = tree.start(['wait'], { old: true });
    const lines = linesOf(child.stdout);
    await lines.next();
    child.kill('SIGKILL');
    expect(await lines.next()).toEqual({ signal: 'SIGTERM' });
    await once(child.stdout, 'close');
  });

  it('also ends a program without signal handlers', async () => {
    tree.build();
    tree.carryNode('24.21.0');
    const child = tree.start(['ignorant'], { old: true });
    await linesOf(child.stdout).next();
    const closed = once(child.stdout, 'close');
    child.kill('SIGKILL');
    await closed;
  });
});

/** A real old Node, if the machine has one; the tests above show the same on any machine. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  if (!existsSync(path)) return false;
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
  return Number(version.slice(1).split('.')[0]) < 22;
});

it.runIf(oldNode !== undefined)('hands over from a real Node that is too old', async () => {
  tree.build();
  expect((await tree.run([], { execPath: oldNode! })).stderr).toContain('fourfold needs Node 22.12 or newer');
  tree.carryNode('24.21.0');
  expect(await tree.run(['exit', '3'], { execPath: oldNode! })).toMatchObject({ code: 3, stderr: '' });
});
