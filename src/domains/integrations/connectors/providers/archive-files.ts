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
  parse(file: ArchiveFile): readonly RemoteItem[];
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
      throw faults.NOT_FOUND({ what: `the folder ${root}; unpack the archive first` }, { field: 'address' });
    const paths = await listWanted(root, format);
    if (paths.length === 0) {
      const why = `${root} is not a data export of ${format.name} in JSON: none of its files were found`;
      throw faults.VALIDATION_ERROR({ why }, { field: 'address' });
    }
    let parsed: { readonly path: string; readonly items: readonly RemoteItem[] } | undefined;

    async function parse(path: string): Promise<readonly RemoteItem[]> {
      if (parsed?.path !== path) parsed = { path, items: format.parse(await readWanted(root, path)) };
      return parsed.items;
    }

    return {
      async fetchPage({ cursor, limit }) {
        const { file, at } = place.parse(JSON.parse(cursor || '{}'));
        const path = paths.find((candidate) => candidate >= file) ?? paths[0]!;
        const from = path === file ? at : 0;
        const problems: RemoteProblem[] = [];
        const items = await parse(path).catch((error: unknown) => {
          problems.push({ id: path, why: `it is not as ${format.name} writes it: ${(error as Error).message}` });
          return [];
        });
        const some = items.slice(from, from + limit);
        const isFileDone = from + limit >= items.length;
        const nextFile = isFileDone ? paths[paths.indexOf(path) + 1] : path;
        return {
          items: some,
          problems,
          hasMore: nextFile !== undefined,
          cursor: nextFile === undefined ? '' : JSON.stringify({ file: nextFile, at: isFileDone ? 0 : from + limit }),
        };
      },
    };
  },
});
