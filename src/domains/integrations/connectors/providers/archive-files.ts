import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';
import type { ConnectorType, RemoteItem, RemoteProblem } from '../connector.ts';

export interface ArchiveFile {
  /** Relative to the archive, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ArchiveFormat {
  /** Of the service, for messages. */
  readonly name: string;
  /** Of a relative path. */
  isWanted(path: string): boolean;
  /** Throws if the file does not have the expected form. */
  parse(file: ArchiveFile): ArchiveEntries;
}

/** The entries of one file. */
export interface ArchiveEntries {
  readonly entries: readonly unknown[];
  /** Throws if the entry does not have the expected form. */
  read(entry: unknown): RemoteItem | readonly RemoteItem[];
}

interface ReadFile {
  readonly path: string;
  readonly items: readonly RemoteItem[];
  readonly problems: readonly RemoteProblem[];
}

const whyChars = 300;

/** The message of a schema lists everything that is wrong; the first of it is enough. */
function explain(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message.slice(0, whyChars);
  const { path, message } = error.issues[0]!;
  return `${path.join('.') || 'it'}: ${message}`.slice(0, whyChars);
}

function readEntries({ entries, read }: ArchiveEntries, path: string): ReadFile {
  const items: RemoteItem[] = [];
  const problems: RemoteProblem[] = [];
  for (const [at, entry] of entries.entries()) {
    try {
      items.push(...[read(entry)].flat());
    } catch (error) {
      problems.push({ id: `${path}, entry ${at + 1}`, why: explain(error) });
    }
  }
  return { path, items, problems };
}

async function listWanted(root: string, format: ArchiveFormat): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(format.isWanted)
    .sort();
}

async function readWanted(root: string, path: string): Promise<ArchiveFile> {
  const file = join(root, path);
  const { size } = await stat(file);
  if (size > integrationLimits.memoryFileBytes)
    throw faults.RESOURCE_LIMIT({ what: path, limit: integrationLimits.memoryFileBytes, unit: 'bytes' });
  return { path, text: await readFile(file, 'utf8') };
}

const place = z.object({ file: z.string().default(''), at: z.int().default(0) });

/** The folder of an unpacked data export. Every sync reads it from the start; what is known already is not stored again. */
export const archiveConnector = (format: ArchiveFormat): ConnectorType<{ address: string }> => ({
  options: z.strictObject({
    address: z
      .string({ error: 'pass the folder of the unpacked archive: connectors add <provider> <path>' })
      .transform((path) => resolve(path)),
  }),
  async open({ address: root }) {
    if (!(await stat(root).catch(() => undefined))?.isDirectory())
      throw faults.NOT_FOUND(
        { what: `the folder ${root}` },
        { field: 'address', fix: 'Unpack the archive and name its folder.' },
      );
    const paths = await listWanted(root, format);
    if (paths.length === 0) {
      const why = `${root} is not a data export of ${format.name} in JSON: none of its files were found`;
      throw faults.VALIDATION_ERROR({ why }, { field: 'address' });
    }
    let parsed: ReadFile | undefined;

    async function parse(path: string): Promise<ReadFile> {
      if (parsed?.path === path) return parsed;
      try {
        parsed = readEntries(format.parse(await readWanted(root, path)), path);
      } catch (error) {
        const why = `it is not as ${format.name} writes it: ${explain(error)}`;
        parsed = { path, items: [], problems: [{ id: path, why }] };
      }
      return parsed;
    }

    return {
      async fetchPage({ cursor, limit }) {
        const { file, at } = place.parse(JSON.parse(cursor || '{}'));
        const path = paths.find((candidate) => candidate >= file) ?? paths[0]!;
        const from = path === file ? at : 0;
        const { items, problems } = await parse(path);
        const some = items.slice(from, from + limit);
        const isFileDone = from + limit >= items.length;
        const nextFile = isFileDone ? paths[paths.indexOf(path) + 1] : path;
        return {
          items: some,
          // Once per file, also if a sync is killed in the middle of one.
          problems: isFileDone ? problems : [],
          hasMore: nextFile !== undefined,
          cursor: nextFile === undefined ? '' : JSON.stringify({ file: nextFile, at: isFileDone ? 0 : from + limit }),
        };
      },
    };
  },
});
