import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Blob, createBlobs } from '#kernel/blob/blobs.ts';
import type { TenantId } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { limits } from '#kernel/limits.ts';
import { truthLimits } from '../truth-limits.ts';

/** Where the bytes are kept, named by their hash; tenants share nothing. A folder here, a service elsewhere. */
export interface FileBlobs {
  /** Resolves when the bytes are durable; when the source throws, nothing is kept. */
  put(tenant: TenantId, source: AsyncIterable<Uint8Array>): Promise<Blob>;
  has(tenant: TenantId, sha256: string): Promise<boolean>;
  /** The stream fails at its end when the bytes are not those that were put. */
  read(tenant: TenantId, sha256: string): Promise<{ readonly bytes: number; readonly stream: Readable } | undefined>;
  /** Gives the path of a file on this machine that holds the bytes, for as long as `use` runs. */
  withPath<T>(tenant: TenantId, sha256: string, use: (path: string) => Promise<T>): Promise<T>;
  /**
   * Removes what is not needed and was not put for as long as the trash keeps things. Answers how many. When the signal
   * aborts nothing more goes: then nobody knows all that is needed.
   */
  sweep(tenant: TenantId, needed: ReadonlySet<string>, now: number, signal: AbortSignal): Promise<number>;
}

/** A tenant's name may differ from another's in the case of its letters only, which some disks do not see. */
const folderOf = (tenant: TenantId): string => sha256Hex(tenant).slice(0, 32);

const dayMs = 86_400_000;

export function createFolderBlobs(folder: string): FileBlobs {
  const blobsOf = (tenant: TenantId) =>
    createBlobs({ folder: join(folder, folderOf(tenant)), bytesMax: truthLimits.fileBytes });
  return {
    put: (tenant, source) => blobsOf(tenant).put(source),
    has: (tenant, sha256) => blobsOf(tenant).has(sha256),
    read: (tenant, sha256) => blobsOf(tenant).get(sha256, { verify: true }),
    async withPath(tenant, sha256, use) {
      const path = blobsOf(tenant).pathOf(sha256);
      if (path === undefined) throw new Error('bug: no hash');
      return use(path);
    },
    async sweep(tenant, needed, now, signal) {
      const blobs = blobsOf(tenant);
      const before = now - limits.trashDays * dayMs;
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
