import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';
import { defineConnector, type RemoteItem, type RemoteProblem } from '../connector.ts';

const textExtensions: ReadonlySet<string> = new Set(
  'md markdown mdx txt text rst adoc org tex csv tsv json yaml yml toml xml html htm log'.split(' '),
);
const isText = (name: string): boolean => textExtensions.has(extname(name).slice(1).toLowerCase());
/** A heading further down is not the title. */
const headingLinesCount = 40;
const useFolder = 'Use an existing folder that this program may read.';

const explain = (error: unknown): string => (error instanceof TypeError ? 'it is not UTF-8' : (error as Error).message);

/** Of tools, not of people. */
const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

interface Listing {
  /** Sorted. */
  readonly files: readonly string[];
  /** Folders that were not read. */
  readonly problems: readonly RemoteProblem[];
}

/** The text files below a folder; links are not followed, because they may lead out of it. */
async function listFiles(root: string, signal: AbortSignal): Promise<Listing> {
  const found: string[] = [];
  const problems: RemoteProblem[] = [];
  const toName = (path: string): string => relative(root, path).split(sep).join('/');

  async function readFolder(folder: string, depth: number): Promise<readonly Dirent[]> {
    const { folderDepth } = integrationLimits;
    if (depth > folderDepth) {
      problems.push({ id: toName(folder), why: `it lies more than ${folderDepth} folders deep` });
      return [];
    }
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (depth === 0) throw faults.NOT_FOUND({ what: `the folder ${root}` }, { field: 'address', fix: useFolder });
      problems.push({ id: toName(folder), why: explain(error) });
      return [];
    }
  }

  async function walk(folder: string, depth: number): Promise<void> {
    for (const entry of await readFolder(folder, depth)) {
      signal.throwIfAborted();
      if (isIgnored(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path, depth + 1);
      else if (entry.isFile() && isText(entry.name)) found.push(toName(path));
      if (found.length > integrationLimits.filesCount)
        throw faults.RESOURCE_LIMIT({ what: 'The folder', limit: integrationLimits.filesCount, unit: 'text files' });
    }
  }
  await walk(root, 0);
  return { files: found.sort(), problems };
}

async function readItem(root: string, path: string): Promise<RemoteItem> {
  const file = join(root, path);
  const { mtimeMs, size } = await lstat(file);
  // More than is kept, so that a longer text is cut and marked as such.
  const bytesMax = integrationLimits.itemTextChars * 4 + 1;
  const bytes = size < bytesMax ? await readFile(file) : await buffer(createReadStream(file, { end: bytesMax - 1 }));
  const text = new TextDecoder('utf-8', { fatal: bytes.length === size }).decode(bytes);
  if (text.includes('\0')) throw new Error('it is not text');
  const heading = text.split('\n', headingLinesCount).find((line) => line.startsWith('# '));
  const title = heading?.slice(2).trim() || basename(path);
  return {
    kind: 'document',
    // Unique among all folders of this machine.
    id: pathToFileURL(file).href,
    at: Math.trunc(mtimeMs),
    fields: { name: path, title, text, modified_at: new Date(Math.trunc(mtimeMs)).toISOString(), bytes: size },
  };
}

/** Every sync lists the folder; only files that have changed since are stored again. */
export const folder = defineConnector({
  options: z.strictObject({
    address: z.string({ error: 'pass the folder: connectors add folder <path>' }).transform((path) => resolve(path)),
  }),
  async open({ address: root }) {
    if (!(await stat(root).catch(() => undefined))?.isDirectory())
      throw faults.NOT_FOUND({ what: `the folder ${root}` }, { field: 'address', fix: useFolder });
    let listing: Listing | undefined;
    return {
      async fetchPage({ cursor = '', limit, signal }) {
        listing ??= await listFiles(root, signal);
        const after = listing.files.filter((path) => path > cursor);
        const some = after.slice(0, limit);
        const items: RemoteItem[] = [];
        const problems: RemoteProblem[] = [];
        for (let at = 0; at < some.length; at += integrationLimits.openFilesCount) {
          const paths = some.slice(at, at + integrationLimits.openFilesCount);
          const read = await Promise.allSettled(paths.map((path) => readItem(root, path)));
          for (const [i, result] of read.entries())
            if (result.status === 'fulfilled') items.push(result.value);
            else problems.push({ id: paths[i]!, why: explain(result.reason) });
        }
        const hasMore = after.length > some.length;
        if (!hasMore) problems.push(...listing.problems);
        return { items, problems, hasMore, cursor: hasMore ? some.at(-1)! : '' };
      },
    };
  },
});
