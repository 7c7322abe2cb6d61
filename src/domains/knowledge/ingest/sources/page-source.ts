import { type FileHandle, stat } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type AllowedRoots, createAllowedRoots } from '#kernel/paths/allowed-roots.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { LibrarySource } from '../../libraries/write-pages.ts';
import type { Format } from '../formats/page-format.ts';

/** What was not taken in, and why. */
export interface SkippedPage {
  readonly path: string;
  readonly reason: string;
}

/** A page that nobody has read yet. */
export interface RawPage {
  readonly path: string;
  readonly format: Format;
  readonly title?: string | undefined;
  read(): Promise<Uint8Array | string | { readonly reason: string }>;
}

/** Where pages come from. All its bounds were looked at when it was opened. */
export interface PageSource {
  readonly origin: LibrarySource;
  /** As the source calls itself. */
  readonly library: string | undefined;
  readonly version: string | undefined;
  readonly pages: readonly RawPage[];
  readonly skipped: readonly SkippedPage[];
  /** Pages that are not among these are gone. */
  readonly isWhole: boolean;
  close(): Promise<void>;
}

/** What may be read, and from where. */
export interface SourceAccess {
  /** Folders whose files may be read; undefined: whoever asks owns the machine and may name any. */
  readonly roots: readonly string[] | undefined;
  /** The data folder. */
  readonly forbidden: readonly string[];
  /** Where a relative path begins, and whose `node_modules` hold the packages; further up where any folder may be read. */
  readonly base: string;
  /** Of a folder also what its `.gitignore` files name. */
  readonly includesIgnored?: boolean;
}

export const tooLarge = { reason: `it has more than ${knowledgeLimits.pageBytes} bytes` } as const;

/** Up to the bound and no further, however long the file became meanwhile. */
async function readBounded(handle: FileHandle, bytes: number): Promise<Uint8Array | { readonly reason: string }> {
  const buffer = Buffer.alloc(bytes + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled > knowledgeLimits.pageBytes ? tooLarge : buffer.subarray(0, filled);
}

/** The file that was checked, whatever happens to its path meanwhile. */
async function readGuarded(roots: AllowedRoots, path: string): Promise<Uint8Array | { readonly reason: string }> {
  const opened = await roots.open(path).catch(() => undefined);
  if (opened === undefined) return { reason: 'it cannot be opened' };
  try {
    if (opened.stat.size > BigInt(knowledgeLimits.pageBytes)) return tooLarge;
    return await readBounded(opened.handle, Math.min(Number(opened.stat.size) + 1, knowledgeLimits.pageBytes));
  } catch {
    return { reason: 'it cannot be read' };
  } finally {
    await opened.handle.close();
  }
}

/** Reads files of one folder that was allowed. */
export const guardFolder = (folder: string, { forbidden }: SourceAccess): AllowedRoots =>
  createAllowedRoots({ roots: [folder], forbidden });

export interface SourceFile {
  readonly path: string;
  readonly absolute: string;
  readonly format: Format;
  readonly title?: string | undefined;
}

export interface SelectedPages {
  readonly pages: readonly RawPage[];
  readonly skipped: readonly SkippedPage[];
}

const overLimit = (bytes: number) => faults.RESOURCE_LIMIT({ what: 'What was named', limit: bytes, unit: 'bytes' });

/** Paths are parts of ids, and are told in lines. */
function whyBadName(path: string): string | undefined {
  if (path.length > knowledgeLimits.pathChars) return 'its path is too long';
  return path.isWellFormed() && !/\p{Cc}/u.test(path) ? undefined : 'its name has characters that are none';
}

/** Looks at sizes and names before a byte is read: a source that is too large is refused as a whole. */
export async function toRawPages(files: readonly SourceFile[], roots: AllowedRoots): Promise<SelectedPages> {
  const pages: RawPage[] = [];
  const skipped: SkippedPage[] = [];
  let bytes = 0;
  for (const { path, absolute, format, title } of files) {
    const facts = await stat(absolute).catch(() => undefined);
    const badName = whyBadName(path);
    if (badName !== undefined) {
      skipped.push({ path: path.slice(0, knowledgeLimits.pathChars).toWellFormed(), reason: badName });
    } else if (facts === undefined) skipped.push({ path, reason: 'it cannot be opened' });
    else if (facts.size > knowledgeLimits.pageBytes) skipped.push({ path, ...tooLarge });
    else {
      bytes += facts.size;
      if (bytes > knowledgeLimits.sourceBytes) throw overLimit(knowledgeLimits.sourceBytes);
      pages.push({ path, format, title, read: () => readGuarded(roots, absolute) });
    }
  }
  return { pages, skipped };
}

/** A small file beside the pages, as JSON; undefined when it is none. */
export async function readJsonFile(
  roots: AllowedRoots,
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await readGuarded(roots, path);
  if (!(bytes instanceof Uint8Array)) return undefined;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
