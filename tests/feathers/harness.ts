/**
 * Generated applications on disk, below one shared installation of all packages that applications of a version may use.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TemplateFragment } from '#domains/knowledge/base/base-entries.ts';
import { databases } from '#domains/knowledge/base/base-entries.ts';
import { listFiles, readFile } from '#domains/knowledge/base/base-files.ts';
import type { TemplateChoice } from '#domains/knowledge/templates/compose-template.ts';
import { composeTemplate, type TemplateTree } from '#domains/knowledge/templates/compose-template.ts';
import { npm } from '#tests/support/npm.ts';

type Version = TemplateChoice['version'];

interface Packages {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export const isWholeMatrix = process.env['FOURFOLD_TEST_MATRIX'] === '1';

export const everyChoice = (version: Version): readonly TemplateChoice[] =>
  databases.flatMap((database) =>
    [true, false].flatMap((auth) => [true, false].map((typescript) => ({ database, auth, typescript, version }))),
  );

export const nameOf = ({ database, auth, typescript }: TemplateChoice): string =>
  `${database} ${auth ? 'with' : 'without'} authentication in ${typescript ? 'TypeScript' : 'JavaScript'}`;

const baseFolder = fileURLToPath(new URL('../../knowledge-base', import.meta.url));

export const fragments = (): readonly TemplateFragment[] =>
  listFiles(baseFolder, 'templates').flatMap((name) => readFile(baseFolder, 'templates', name) ?? []);

export function composed(choice: TemplateChoice, from: readonly TemplateFragment[] = fragments()): TemplateTree {
  const tree = composeTemplate(from, choice);
  if (tree === undefined) throw new Error(`there are no fragments for ${nameOf(choice)}`);
  return tree;
}

const lockFolder = (version: Version) => fileURLToPath(new URL(`${version}/`, import.meta.url));

const packagesIn = (text: string): Readonly<Record<string, string>> => {
  const { dependencies, devDependencies } = JSON.parse(text) as Packages;
  return { ...dependencies, ...devDependencies };
};

/** The packages of the shared installation, from its package.json. */
export const sharedPackages = (version: Version): Readonly<Record<string, string>> =>
  packagesIn(readFileSync(join(lockFolder(version), 'package.json'), 'utf8'));

export const packagesOf = ({ files }: TemplateTree): Readonly<Record<string, string>> =>
  packagesIn(files.get('package.json') ?? '');

/** Installs the packages of the lock file once per machine and returns the folder. */
export async function installOnce(version: Version): Promise<string> {
  const lock = readFileSync(join(lockFolder(version), 'package-lock.json'));
  const cache = join(tmpdir(), 'fourfold-test-feathers');
  const ready = join(cache, `${version}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (existsSync(ready)) return ready;
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, 'making-'));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(lockFolder(version), file), join(making, file));
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], making);
  try {
    renameSync(making, ready);
  } catch (error) {
    // Another run was faster; its packages are the same.
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(ready)) throw error;
  }
  return ready;
}

/** Writes a tree into a new folder below the shared packages, where Node finds them. */
export function writeTree({ files }: Pick<TemplateTree, 'files'>, inside: string): string {
  const folder = mkdtempSync(join(inside, 'tree-'));
  addFiles(folder, files);
  return folder;
}

export function addFiles(folder: string, files: Iterable<readonly [path: string, content: string]>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** The scripts of a tree must use the Node that runs the tests. */
export const withOurNode = () => `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;

/** Our own variables must not reach the application. */
const ours = /^(?:npm_|FOURFOLD_|NODE_|VITEST|DATABASE_URL|TEST_DATABASE_URL|LOG_LEVEL|HOST$|PORT$)/i;
const cleanEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name))),
  PATH: withOurNode(),
  ...env,
});

const start = (tree: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, args, { cwd: tree, env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });

/** Returns the output, and throws with it on failure. */
export async function run(tree: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = start(tree, args, env);
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${printed.slice(-4000)}`);
  return printed;
}

/** Runs npm in a tree as a user does, with the Node of the tests. */
export const npmIn = (tree: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  npm(args, tree, { PATH: withOurNode(), ...env });

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Running {
  readonly url: string;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts an application as a user does and waits until it listens. */
export async function startTree(tree: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const port = await findFreePort();
  const child = start(tree, args, { PORT: String(port), ...env });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const said: string[] = [];
  const listens = new Promise<void>((resolve) => {
    for (const stream of [child.stdout!, child.stderr!])
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        if (line.includes('listening on')) resolve();
      });
  });
  const isUp = await Promise.race([listens.then(() => true), ended.then(() => false)]);
  if (!isUp) throw new Error(`the application ended before it listened:\n${said.join('\n')}`);
  return {
    url: `http://localhost:${port}`,
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}
