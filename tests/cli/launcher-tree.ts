import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Reports how it was started, then does what its first word says. */
const fakeMain = `
import { getCompileCacheDir } from 'node:module';
import { cachedDataVersionTag } from 'node:v8';
const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
const [task, code] = process.argv.slice(2);
if (task === 'wait' || task === 'ignorant') setInterval(() => {}, 1000);
if (task === 'wait') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { say({ signal }); process.exit(7); });
say({ pid: process.pid, ppid: process.ppid, argv: process.argv.slice(2), cache: getCompileCacheDir(), flags: cachedDataVersionTag(), mark: process.env.FOURFOLD_RELAUNCHED ?? null });
if (process.argv.includes('large')) globalThis.kept = Array.from({ length: 20_000_000 }, (_, i) => i + 0.5);
// Later than the first look of the launcher at the heap.
if (process.argv.includes('later')) setTimeout(() => say({ flags: cachedDataVersionTag() }), 4000);
if (task === 'exit') process.exitCode = Number(code);
if (task === 'die') process.kill(process.pid, code);
if (task === 'echo') process.stdin.pipe(process.stdout);
`;

/** Makes the running Node look too old, but not the relaunched one. */
const pretendOld = `
if (process.env.FOURFOLD_RELAUNCHED === undefined) Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
`;

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the launcher in its own folder, around a fake program. */
export function makeLauncherTree() {
  const root = mkdtempSync(join(tmpdir(), 'fourfold-launcher-'));
  cpSync(join(import.meta.dirname, '../../bin'), join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'old.mjs'), pretendOld);
  const carrier = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

  const start = (args: readonly string[], { old = false, execPath = process.execPath } = {}) =>
    spawn(execPath, [...(old ? ['--import', join(root, 'old.mjs')] : []), join(root, 'bin/fourfold.js'), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache'), LOCALAPPDATA: root },
    });

  return {
    root,
    start,
    build() {
      mkdirSync(join(root, 'dist'));
      writeFileSync(join(root, 'dist/main.js'), fakeMain);
    },
    /** Adds a package with a Node where npm would install it. */
    carryNode(version: string, under = 'node_modules', binary = process.execPath) {
      const folder = join(root, under, carrier);
      mkdirSync(join(folder, 'bin'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: carrier, version }));
      symlinkSync(binary, join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'));
      return folder;
    },
    writeFile(name: string) {
      writeFileSync(join(root, name), '');
      return join(root, name);
    },
    async run(
      args: readonly string[],
      options: { old?: boolean; execPath?: string; stdin?: string } = {},
    ): Promise<Ran> {
      const child = start(args, options);
      // A program that cannot be started closes its input immediately.
      child.stdin.on('error', () => {});
      child.stdin.end(options.stdin ?? '');
      const ended = new Promise<Pick<Ran, 'code' | 'signal'>>((resolve) => {
        child.on('exit', (code, signal) => resolve({ code, signal }));
      });
      const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { ...end, stdout, stderr };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
