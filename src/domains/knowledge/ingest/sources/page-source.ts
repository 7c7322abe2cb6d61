import { type FileHandle, stat } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type AllowedRoots, createAllowedRoots } from '#kernel/paths/allowed-roots.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { LibrarySource } from '../../libraries/write-pages.ts';
import type { Format } from '../formats/page-format.ts';

export interface SkippedPage {
  readonly path: string;
  readonly reason: string;
}

export interface RawPage {
  readonly path: string;
  readonly format: Format;
  readonly title?: string | undefined;
  read(): Promise<Uint8Array | string | { readonly reason: string }>;
}

/** Limits were checked when the source was opened. */
export interface PageSource {
  readonly origin: LibrarySource;
  /** The name that the source declares. */
  readonly library: string | undefined;
  readonly version: string | undefined;
  readonly pages: readonly RawPage[];
  readonly skipped: readonly SkippedPage[];
  /** Other pages of the library are removed. */
  readonly isWhole: boolean;
  close(): Promise<void>;
}

export interface SourceAccess {
  /** Folders whose files may be read. Undefined allows any path: the caller owns the machine. */
  readonly roots: readonly string[] | undefined;
  /** Why `roots` is empty. */
  readonly whyNone?: string | undefined;
  /** Includes the data folder. */
  readonly forbidden: readonly string[];
  /** Relative paths and `node_modules` are resolved here; without roots also in the folders above. */
  readonly base: string;
  /** Ingest files that `.gitignore` excludes. */
  readonly includesIgnored?: boolean;
}

export const tooLarge = { reason: `it has more than ${knowledgeLimits.pageBytes} bytes` } as const;

/** Stops at the limit even if the file grew after the check. */
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

/** Reads the file that was checked, even if its path changes meanwhile. */
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

export const guardFolder = (folder: string, { forbidden }: SourceAccess): AllowedRoots =>
  createAllowedRoots({ roots: [folder], forbidden });

export interface SourceFile {
  readonly path: string;
  readonly absolute: string;
  readonly format: Format;
  readonly title?: string | undefined;
}

const overLimit = (bytes: number) => faults.RESOURCE_LIMIT({ what: 'The source', limit: bytes, unit: 'bytes' });

/** Paths are part of section ids and appear in one-line messages. */
function whyBadName(path: string): string | undefined {
  if (path.length > knowledgeLimits.pathChars) return 'its path is too long';
  return path.isWellFormed() && !/\p{Cc}/u.test(path) ? undefined : 'its name contains invalid characters';
}

/** Checks sizes and names before anything is read: a source that is too large is rejected as a whole. */
export async function toRawPages(files: readonly SourceFile[], roots: AllowedRoots) {
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

/** Undefined if the file is missing or is not a JSON object. */
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
