import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from '#kernel/paths/find-program.ts';
import { instructionLimits } from '../../instruction-limits.ts';

/**
 * The configuration of a repository may name programs that git starts. Reading a tree and a log needs none of them, and
 * these switch off each one that could run: hooks, the file monitor, the pager, the check of signatures, and the fetch
 * of objects that a partial clone lacks.
 */
const safeOptions = [
  '--no-pager',
  '--no-optional-locks',
  ...['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false', '-c', 'core.pager=', '-c', 'log.follow=false'],
  ...['-c', 'log.showSignature=false', '-c', 'safe.bareRepository=explicit'],
];

/** Nothing of our own environment, and no configuration but that of the repository. */
const safeEnvironment = (program: string): NodeJS.ProcessEnv => ({
  PATH: dirname(program),
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
});

/** The output, or undefined if git fails, takes too long or writes too much. */
function run(program: string, folder: string, args: readonly string[], signal: AbortSignal) {
  return new Promise<string | undefined>((resolve) => {
    const child = spawn(program, [...safeOptions, '-C', folder, ...args], {
      // On Windows, programs are also searched in the working directory.
      cwd: dirname(program),
      env: safeEnvironment(program),
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: instructionLimits.gitMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > instructionLimits.gitOutputBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
  });
}

async function isInWorkingTree(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const isThere = await access(join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
    if (dirname(at) === at) return false;
  }
}

/** The id that git gives to these bytes; the length of `like` depends on the hash that the repository uses. */
const blobIdOf = (bytes: Uint8Array, like: string): string =>
  hash(like.length === 64 ? 'sha256' : 'sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]), 'hex');

/** Ids by name of the files in the last commit. */
function parseTree(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\0').flatMap((line): [string, string][] => {
      const [info = '', name] = line.split('\t');
      const [, type, blobId] = info.split(' ');
      return name !== undefined && type === 'blob' && blobId !== undefined ? [[name, blobId]] : [];
    }),
  );
}

/** One line of visible characters. */
const toAuthor = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, instructionLimits.gitAuthorChars);

interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The authors of the commits that last changed these files, if the files are exactly as committed. */
export async function readGitAuthors(
  folder: string,
  files: readonly NamedBytes[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const authors = new Map<string, string>();
  if (files.length === 0 || !(await isInWorkingTree(folder))) return authors;
  const program = await findProgram('git');
  if (program === undefined) return authors;
  const names = files.map(({ name }) => name);
  const tree = await run(program, folder, ['ls-tree', '-z', 'HEAD', '--', ...names], signal);
  if (tree === undefined) return authors;
  const committed = parseTree(tree);
  for (const { name, bytes } of files) {
    const blobId = committed.get(name);
    if (blobId === undefined || blobIdOf(bytes, blobId) !== blobId) continue;
    const args = ['log', '-1', '--format=%an <%ae>', '--no-show-signature', '--no-ext-diff', '--no-textconv'];
    const text = await run(program, folder, [...args, '--no-color', '--encoding=UTF-8', 'HEAD', '--', name], signal);
    // A repository that is too slow for one file is too slow for the others.
    if (text === undefined) break;
    const author = toAuthor(text);
    if (author !== '') authors.set(name, author);
  }
  return authors;
}
