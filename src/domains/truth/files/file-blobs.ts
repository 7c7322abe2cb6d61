import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Blob, type Blobs, createBlobs } from '#kernel/blob/blobs.ts';
import type { TenantId } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { limits } from '#kernel/limits.ts';
import { truthLimits } from '../truth-limits.ts';

export interface SignedUrlInput {
  readonly sha256: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly signedAtS: number;
  readonly expiresInS: number;
}

/** The bytes of files by hash, separate for each tenant. */
export interface FileBlobs {
  /** Where new files are, if not in the data folder. */
  readonly service?: {
    /** For messages. */
    readonly name: string;
    /** A URL of the service that serves the file until it expires; undefined if the service does not have it. */
    signUrl(tenant: TenantId, input: SignedUrlInput): Promise<string | undefined>;
  };
  /** Resolves when the bytes are durable; stores nothing if the source throws. */
  put(tenant: TenantId, source: AsyncIterable<Uint8Array>): Promise<Blob>;
  has(tenant: TenantId, sha256: string): Promise<boolean>;
  /** The stream fails at its end if the bytes do not match the hash. */
  read(tenant: TenantId, sha256: string): Promise<{ readonly bytes: number; readonly stream: Readable } | undefined>;
  /** The path is valid while `use` runs. */
  withPath<T>(tenant: TenantId, sha256: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Removes the bytes now; missing ones are not an error. */
  remove(tenant: TenantId, sha256: string): Promise<void>;
  /**
   * Removes unneeded bytes that are older than the trash retention, and returns their number. Stops when the signal
   * aborts, because `needed` may then be incomplete.
   */
  sweep(tenant: TenantId, needed: ReadonlySet<string>, now: number, signal: AbortSignal): Promise<number>;
}

/** Hashed, because tenant names may differ only in case, which some file systems ignore. */
export const tenantFolder = (tenant: TenantId): string => sha256Hex(tenant).slice(0, 32);

const dayMs = 86_400_000;

/** Unneeded bytes that were put before this time are removed. */
export const trashedBefore = (now: number): number => now - limits.trashDays * dayMs;

export const folderBlobsOf = (folder: string, tenant: TenantId): Blobs =>
  createBlobs({ folder: join(folder, tenantFolder(tenant)), bytesMax: truthLimits.fileBytes });

export function createFolderBlobs(folder: string): FileBlobs {
  const blobsOf = (tenant: TenantId) => folderBlobsOf(folder, tenant);
  return {
    put: (tenant, source) => blobsOf(tenant).put(source),
    has: (tenant, sha256) => blobsOf(tenant).has(sha256),
    read: (tenant, sha256) => blobsOf(tenant).get(sha256, { verify: true }),
    async withPath(tenant, sha256, use) {
      const path = blobsOf(tenant).pathOf(sha256);
      if (path === undefined) throw new Error('bug: invalid file hash');
      return use(path);
    },
    async remove(tenant, sha256) {
      await blobsOf(tenant).remove(sha256);
    },
    async sweep(tenant, needed, now, signal) {
      const blobs = blobsOf(tenant);
      const before = trashedBefore(now);
      let count = await blobs.sweep(now);
      for await (const some of blobs.list()) {
        for (const { sha256, putAt } of some) {
          if (signal.aborted) return count;
          if (putAt < before && !needed.has(sha256) && (await blobs.removeOlder(sha256, before))) count += 1;
        }
      }
      return count;
    },
  };
}
