import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { flushFolder } from '#kernel/paths/flush-folder.ts';
import { adminFaults } from './admin-faults.ts';
import { absentAs, codeOf, isThere, orCleanUp } from './file-faults.ts';

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

async function pump(from: FileHandle, take: (chunk: Uint8Array) => Promise<void>): Promise<FileFacts> {
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

/** At a place of the file, or after what was written last. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, place?: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, place === undefined ? null : place + at);
    at += bytesWritten;
  }
}

/** A new file, flushed before it is closed. */
export async function makeFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return withFile(path, 'wx', async (handle) => {
    const value = await work(handle);
    await handle.sync();
    return value;
  });
}

/** What it answers is of the bytes written, so the original may change meanwhile. */
export const copyDurably = (from: string, to: string): Promise<FileFacts> =>
  withFile(from, 'r', (source) => makeFile(to, (target) => pump(source, (chunk) => writeAll(target, chunk))));

export async function writeDurably(to: string, text: string): Promise<FileFacts> {
  const bytes = Buffer.from(text);
  await makeFile(to, (target) => writeAll(target, bytes));
  return { bytes: bytes.length, sha256: sha256Hex(bytes) };
}

/** A whole file or the old one: it takes the name when it is on the disk. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const scratch = join(folder, `.fourfold-${randomUUID()}.tmp`);
  await orCleanUp(scratch, async () => {
    await writeDurably(scratch, text);
    await rename(scratch, path);
    await flushFolder(folder);
  });
}

export const hashFile = (file: string): Promise<FileFacts> =>
  withFile(file, 'r', (handle) => pump(handle, async () => {}));

/** For a file that somebody else wrote: makes it durable and nobody else's to read. */
export const adoptFile = (file: string): Promise<FileFacts> =>
  withFile(file, 'r+', async (handle) => {
    await handle.chmod(0o600);
    await handle.sync();
    return pump(handle, async () => {});
  });

export interface FoundFile {
  /** Its parts are joined by `/` on every platform. */
  readonly path: string;
  readonly isRegular: boolean;
}

/** Everything below a folder that is not itself a folder, by name; nothing when the folder is not there. Links are not followed. */
export async function* walkFiles(folder: string, below = ''): AsyncGenerator<FoundFile> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(absentAs([]));
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFiles(folder, path);
    else yield { path, isRegular: entry.isFile() };
  }
}

/** Every folder below, deepest first, then the folder itself. */
export async function flushTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushTree(join(folder, entry.name));
  }
  await flushFolder(folder);
}

/** Gives a whole file its name, unless something came to stand there. A rename would overwrite that, so it is the second choice. */
export async function placeFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const isTaken = codeOf(error) === 'EEXIST' || (withoutLinks.has(codeOf(error)) && (await isThere(to)));
    if (isTaken) throw adminFaults.TARGET_TAKEN({ path: to });
    if (!withoutLinks.has(codeOf(error))) throw error;
    await rename(from, to);
    return;
  }
  await rm(from);
}

/** What filesystems without hard links answer. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
