import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { adminFaults } from './admin-faults.ts';
import { cleanUpOnFailure, codeOf, exists, ifMissing } from './file-faults.ts';

const fileLimits = { copyBufferBytes: 1024 * 1024 } as const;

export interface FileFacts {
  readonly bytes: number;
  readonly sha256: string;
}

async function withFile<T>(path: string, flags: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, flags, 0o600);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** A file name is durable only when its folder is flushed too; Windows has no such call and needs none. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await withFile(folder, 'r', (handle) => handle.sync());
}

async function copyAndHash(from: FileHandle, take: (chunk: Uint8Array) => Promise<void>): Promise<FileFacts> {
  const buffer = Buffer.allocUnsafe(fileLimits.copyBufferBytes);
  const hash = createHash('sha256');
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    bytes += bytesRead;
    await take(chunk);
  }
}

/** Writes at `place`, or after the last write. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, place?: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, place === undefined ? null : place + at);
    at += bytesWritten;
  }
}

/** Creates a file and flushes it before closing it. */
export async function createFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return withFile(path, 'wx', async (handle) => {
    const value = await work(handle);
    await handle.sync();
    return value;
  });
}

/** The hash is of the bytes written, so the source may change meanwhile. */
export const copyDurably = (from: string, to: string): Promise<FileFacts> =>
  withFile(from, 'r', (source) => createFile(to, (target) => copyAndHash(source, (chunk) => writeAll(target, chunk))));

export async function writeDurably(to: string, text: string): Promise<FileFacts> {
  const bytes = Buffer.from(text);
  await createFile(to, (target) => writeAll(target, bytes));
  return { bytes: bytes.length, sha256: sha256Hex(bytes) };
}

/** Replaces a file atomically. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const scratch = join(folder, `.fourfold-${randomUUID()}.tmp`);
  await cleanUpOnFailure(scratch, async () => {
    await writeDurably(scratch, text);
    await rename(scratch, path);
    await flushFolder(folder);
  });
}

export const hashFile = (file: string): Promise<FileFacts> =>
  withFile(file, 'r', (handle) => copyAndHash(handle, async () => {}));

/** Flushes a file that another library wrote, and makes it readable by the owner only. */
export const flushAndHashFile = (file: string): Promise<FileFacts> =>
  withFile(file, 'r+', async (handle) => {
    await handle.chmod(0o600);
    await handle.sync();
    return copyAndHash(handle, async () => {});
  });

export interface TreeFile {
  /** Joined by `/` on every platform. */
  readonly path: string;
  readonly isRegular: boolean;
}

/** All files below a folder, sorted by name; none if the folder does not exist. Links are not followed. */
export async function* walkFiles(folder: string, below = ''): AsyncGenerator<TreeFile> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing([]));
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFiles(folder, path);
    else yield { path, isRegular: entry.isFile() };
  }
}

export async function flushTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushTree(join(folder, entry.name));
  }
  await flushFolder(folder);
}

/**
 * Gives a complete file its name without overwriting an existing one. A rename would overwrite, so it is only the
 * fallback.
 */
export async function placeFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const isTaken = codeOf(error) === 'EEXIST' || (withoutLinks.has(codeOf(error)) && (await exists(to)));
    if (isTaken) throw adminFaults.TARGET_TAKEN({ path: to });
    if (!withoutLinks.has(codeOf(error))) throw error;
    await rename(from, to);
    return;
  }
  await rm(from);
}

/** Error codes of filesystems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
