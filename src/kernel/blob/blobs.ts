import { createHash, hash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline, Readable, Transform } from 'node:stream';
import { faults } from '../fault/kernel-faults.ts';
import { flushFolder } from '../paths/flush-folder.ts';

export const blobLimits = {
  blobBytes: 52_428_800,
  /** A temporary file older than this was left behind by a killed process. */
  blobTemporaryMs: 86_400_000,
} as const;

export interface Blob {
  /** SHA-256 of the bytes in hex: the only name of a blob. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface ListedBlob {
  readonly sha256: string;
  readonly putAt: number;
}

export interface OpenBlob extends Blob {
  readonly stream: Readable;
}

/**
 * Files in one folder, named by the hash of their content. Equal content is stored once. No name from outside becomes a
 * path.
 */
export interface Blobs {
  /** Resolves when the bytes are durable. */
  put(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<Blob>;
  /** Writes the bytes to a temporary file, which is removed when `use` has ended. */
  withTemporary<T>(source: AsyncIterable<Uint8Array>, use: (file: string, blob: Blob) => Promise<T>): Promise<T>;
  stat(sha256: string): Promise<Blob | undefined>;
  has(sha256: string): Promise<boolean>;
  /** With `verify`, the stream ends with INTEGRITY_ERROR if the bytes differ from those that were put. */
  get(sha256: string, options?: { readonly verify?: boolean }): Promise<OpenBlob | undefined>;
  /** The path of its file, whether it exists or not, for readers in other processes. Undefined for an invalid name. */
  pathOf(sha256: string): string | undefined;
  /** True if it existed. */
  remove(sha256: string): Promise<boolean>;
  /** All blobs, in batches and without order, with the time they were last put. */
  list(): AsyncIterable<readonly ListedBlob[]>;
  /** True if it was removed. A blob that was put again after that time stays: a reference to it is about to follow. */
  removeOlder(sha256: string, before: number): Promise<boolean>;
  /** Removes temporary files that killed processes left behind. Returns their number. */
  sweep(now: number): Promise<number>;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Flushes each created folder too, up to the first that existed. */
async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await flushFolder(dirname(made));
}

/**
 * Holds the last chunk back until the hash is checked: a reader that knows the size must not have all bytes before
 * that.
 */
export function verifying(sha256: string): Transform {
  const digest = createHash('sha256');
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      if (held !== undefined) this.push(held);
      held = chunk;
      done();
    },
    flush(done) {
      if (digest.digest('hex') === sha256) done(null, held);
      else done(faults.INTEGRITY_ERROR({ why: `the content of the file ${sha256} has changed` }));
    },
  });
}

export function createBlobs(options: { readonly folder: string; readonly bytesMax?: number }): Blobs {
  const folder = resolve(options.folder);
  const bytesMax = options.bytesMax ?? blobLimits.blobBytes;
  const temporaryFolder = join(folder, 'tmp');

  /** Two letters of the name are a subfolder, so that no folder grows too large. Undefined for an invalid name. */
  const toFile = (sha256: string): string | undefined =>
    /^[0-9a-f]{64}$/.test(sha256) ? join(folder, sha256.slice(0, 2), sha256) : undefined;

  const tooLarge = () => faults.RESOURCE_LIMIT({ what: 'The file', limit: bytesMax, unit: 'bytes' });

  async function find(sha256: string): Promise<Blob | undefined> {
    const file = toFile(sha256);
    if (file === undefined) return undefined;
    try {
      return { sha256, bytes: (await stat(file)).size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  const mtimeOf = async (file: string): Promise<number | undefined> =>
    (await stat(file).catch(() => undefined))?.mtimeMs;

  /** Moves the file away before checking its age, so that a file put in between by another process is not removed. */
  async function removeOlder(file: string, before: number): Promise<boolean> {
    await makeFolder(temporaryFolder);
    const aside = join(temporaryFolder, randomBytes(12).toString('hex'));
    try {
      await rename(file, aside);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    const isOld = ((await mtimeOf(aside)) ?? before) < before;
    if (isOld) await rm(aside);
    else await rename(aside, file);
    await flushFolder(dirname(file));
    return isOld;
  }

  async function write(handle: FileHandle, source: AsyncIterable<Uint8Array>): Promise<Blob> {
    const digest = createHash('sha256');
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw tooLarge();
      digest.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return { sha256: digest.digest('hex'), bytes };
  }

  /** Replaces a file of the same name: its bytes are equal, or damaged and now repaired. */
  async function keep(temporary: string, blob: Blob): Promise<Blob> {
    const file = toFile(blob.sha256)!;
    await makeFolder(dirname(file));
    await rename(temporary, file);
    await flushFolder(dirname(file));
    return blob;
  }

  async function withTemporary<T>(
    source: AsyncIterable<Uint8Array>,
    use: (file: string, blob: Blob) => Promise<T>,
  ): Promise<T> {
    await makeFolder(temporaryFolder);
    const temporary = join(temporaryFolder, randomBytes(12).toString('hex'));
    try {
      const handle = await open(temporary, 'wx', 0o600);
      let blob: Blob;
      try {
        blob = await write(handle, source);
      } finally {
        await handle.close();
      }
      return await use(temporary, blob);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  const putStream = (source: AsyncIterable<Uint8Array>): Promise<Blob> => withTemporary(source, keep);

  /** Hashes the bytes first: if they are stored already, nothing is written. */
  async function putBytes(source: Uint8Array): Promise<Blob> {
    if (source.byteLength > bytesMax) throw tooLarge();
    const sha256 = hash('sha256', source, 'hex');
    const known = await find(sha256);
    if (known?.bytes !== source.byteLength) return putStream(Readable.from([source]));
    // Another process may have put it a moment ago and not yet flushed the name.
    await flushFolder(dirname(toFile(sha256)!));
    return known;
  }

  return {
    put: (source) => (source instanceof Uint8Array ? putBytes(source) : putStream(source)),
    withTemporary,
    stat: find,
    has: async (sha256) => (await find(sha256)) !== undefined,
    async get(sha256, { verify = false } = {}) {
      const file = toFile(sha256);
      if (file === undefined) return undefined;
      let handle: FileHandle;
      try {
        handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
      const { size } = await handle.stat();
      const plain = handle.createReadStream();
      // A pipeline closes the file even if the reader stops early. The reader gets the error from the stream itself.
      const stream = verify ? pipeline(plain, verifying(sha256), () => {}) : plain;
      return { sha256, bytes: size, stream };
    },
    pathOf: toFile,
    async remove(sha256) {
      const file = toFile(sha256);
      if (file === undefined) return false;
      try {
        await rm(file);
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
      await flushFolder(dirname(file));
      return true;
    },
    async *list() {
      for (const part of await readdir(folder).catch(() => [])) {
        if (!/^[0-9a-f]{2}$/.test(part)) continue;
        const found: ListedBlob[] = [];
        for (const sha256 of await readdir(join(folder, part)).catch(() => [])) {
          const file = toFile(sha256);
          const putAt = file === undefined ? undefined : await mtimeOf(file);
          if (putAt !== undefined) found.push({ sha256, putAt });
        }
        yield found;
      }
    },
    async removeOlder(sha256, before) {
      const file = toFile(sha256);
      return file !== undefined && removeOlder(file, before);
    },
    async sweep(now) {
      let count = 0;
      for (const name of await readdir(temporaryFolder).catch(() => [])) {
        const file = join(temporaryFolder, name);
        const found = await stat(file).catch(() => undefined);
        if (found === undefined || found.mtimeMs > now - blobLimits.blobTemporaryMs) continue;
        await rm(file, { force: true });
        count += 1;
      }
      return count;
    },
  };
}
