import { hash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram } from '#kernel/paths/find-program.ts';
import { runGit } from '#kernel/paths/run-git.ts';
import { instructionLimits } from '../../instruction-limits.ts';

const run = (program: string, folder: string, args: readonly string[], signal: AbortSignal) =>
  runGit({
    ...{ program, folder, args, signal },
    timeoutMs: instructionLimits.gitMs,
    outputBytes: instructionLimits.gitOutputBytes,
  });

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
