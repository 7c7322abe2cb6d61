import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

interface BuildModule {
  build(root: string): Promise<readonly { file: string; bytes: number }[]>;
  isBuilt(root: string): boolean;
}
const { build, isBuilt }: BuildModule = await import(pathToFileURL(join(project, 'scripts/build.mjs')).href);

/** A program like ours: a dynamic import, a worker, a package with a licence. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module","imports":{"#kernel/*":"./src/kernel/*"}}',
  'src/main.ts': `
    // A comment that nobody needs at run time.
    import { greet } from '#kernel/greet.ts';
    import { licensed } from 'licensed';
    import { Worker } from 'node:worker_threads';
    const { late } = await import('./late.ts');
    const entry = new URL(import.meta.url.endsWith('.ts') ? './tasks.worker.ts' : './tasks.worker.js', import.meta.url);
    new Worker(entry).on('message', (said) => console.log(greet(late), licensed, said));
  `,
  'src/kernel/greet.ts': "export const greet = (name: string): string => ['hello', name].join(' ');",
  'src/late.ts': "export const late: string = 'late';",
  'src/kernel/tasks.worker.ts': "import { parentPort } from 'node:worker_threads'; parentPort?.postMessage('worked');",
  'src/kernel/greet.test.ts': 'throw new Error("no test is built");',
  'node_modules/licensed/package.json':
    '{"name":"licensed","version":"2.0.0","license":"ISC","type":"module","main":"index.js"}',
  'node_modules/licensed/index.js': "export const licensed = 'licensed';",
  'node_modules/licensed/LICENSE.md': 'Be kind.',
};

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fourfold-build-'));
  for (const [path, text] of Object.entries(files)) write(path, text);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('makes a program that runs elsewhere, with its workers and third-party notices', async () => {
  await build(root);
  const elsewhere = mkdtempSync(join(tmpdir(), 'fourfold-elsewhere-'));
  cpSync(join(root, 'dist'), join(elsewhere, 'dist'), { recursive: true });
  writeFileSync(join(elsewhere, 'package.json'), '{"type":"module"}');
  const { stdout } = await run(process.execPath, [join(elsewhere, 'dist/main.js')]);
  rmSync(elsewhere, { recursive: true });
  expect(stdout).toBe('hello late licensed worked\n');
  expect(readFileSync(join(root, 'dist/THIRD-PARTY.txt'), 'utf8')).toContain('licensed 2.0.0 (ISC)\n\nBe kind.');
  expect(readFileSync(join(root, 'dist/main.js'), 'utf8')).not.toContain('nobody needs');
  const made = readdirSync(join(root, 'dist'));
  expect(made).toEqual(expect.arrayContaining(['main.js', 'main.js.map', 'tasks.worker.js', 'server']));
  expect(made.filter((name) => /^late-.*\.js$/.test(name))).toHaveLength(1);
});

it('has the documented entry file', async () => {
  await build(root);
  write('bin/fourfold.js', "console.log('launcher');");
  expect((await run(process.execPath, [join(root, 'dist/server/index.js')])).stdout).toBe('launcher\n');
});

it('detects when it must run again', async () => {
  expect(isBuilt(root)).toBe(false);
  await build(root);
  expect(isBuilt(root)).toBe(true);
  write('src/kernel/greet.test.ts', 'another test');
  expect(isBuilt(root)).toBe(true);
  utimesSync(join(root, 'src/late.ts'), 1, 1);
  expect(isBuilt(root)).toBe(false);
  await build(root);
  rmSync(join(root, 'src/kernel/tasks.worker.ts'));
  expect(isBuilt(root)).toBe(false);
  rmSync(join(root, 'src'), { recursive: true });
  expect(isBuilt(root)).toBe(true);
});

it.each(['./not-there.ts', 'not-installed'])('keeps the last good build when %s does not resolve', async (missing) => {
  await build(root);
  write('src/late.ts', `export { late } from '${missing}';`);
  await expect(build(root)).rejects.toThrow(missing);
  expect(existsSync(join(root, 'dist/main.js'))).toBe(true);
  expect(isBuilt(root)).toBe(false);
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
});

it('rejects two workers of the same name', async () => {
  write('src/late/tasks.worker.ts', '');
  await expect(build(root)).rejects.toThrow('two worker entries are called tasks.worker');
});
