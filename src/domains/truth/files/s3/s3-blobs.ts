import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Blob, type Blobs, verifying } from '#kernel/blob/blobs.ts';
import type { TenantId } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createFolderBlobs, type FileBlobs, folderBlobsOf, tenantFolder, trashedBefore } from '../file-blobs.ts';
import { s3Limits } from './s3-limits.ts';
import type { S3Objects } from './s3-objects.ts';

export interface S3BlobsOptions {
  /** The folder of the files that were stored before; it also has the temporary files. */
  readonly folder: string;
  readonly bucket: string;
  readonly prefix: string;
  /** Loads the package at the first use. */
  open(): Promise<S3Objects>;
}

const { s3RemovalMs, s3RemovalWaitMs, s3RemovalPollMs } = s3Limits;

/**
 * Files in a bucket, under `<prefix>/<tenant>/<sha256>`. S3 cannot remove an object only if it is old, so a removal is
 * announced by a marker: it looks at the age again after that, and a put looks for the marker after it has written.
 * One of the two always sees the other.
 */
export function createS3Blobs({ folder, bucket, prefix, open }: S3BlobsOptions): FileBlobs {
  const local = createFolderBlobs(folder);
  const temporaryOf = (tenant: TenantId): Blobs => folderBlobsOf(folder, tenant);
  const folderOf = (tenant: TenantId): string => `${prefix}/${tenantFolder(tenant)}`;
  const keyOf = (tenant: TenantId, sha256: string): string => `${folderOf(tenant)}/${sha256}`;
  const markerOf = (tenant: TenantId, sha256: string): string => `${folderOf(tenant)}/removing/${sha256}`;
  const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

  let opening: Promise<S3Objects> | undefined;
  /** A failure is not kept: the key file may be there the next time. */
  function objects(): Promise<S3Objects> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  /** True if a removal was under way; it has ended then. */
  async function waitForRemoval(marker: string): Promise<boolean> {
    const s3 = await objects();
    if ((await s3.find(marker)) === undefined) return false;
    const endsAt = performance.now() + s3RemovalWaitMs;
    while ((await s3.find(marker)) !== undefined) {
      if (performance.now() < endsAt) await delay(s3RemovalPollMs);
      // Its process was killed.
      else await s3.remove(marker);
    }
    return true;
  }

  async function removeOlder(tenant: TenantId, sha256: string, before: number): Promise<boolean> {
    const s3 = await objects();
    const [key, marker] = [keyOf(tenant, sha256), markerOf(tenant, sha256)];
    await s3.putEmpty(marker);
    const signal = AbortSignal.timeout(s3RemovalMs);
    try {
      const found = await s3.find(key, signal);
      if (found === undefined || found.modifiedAt >= before || signal.aborted) return false;
      await s3.remove(key, signal);
      return true;
    } finally {
      await s3.remove(marker);
    }
  }

  const get = async (tenant: TenantId, sha256: string) =>
    isHash(sha256) ? (await objects()).get(keyOf(tenant, sha256)) : undefined;

  const isInBucket = async (tenant: TenantId, sha256: string): Promise<boolean> =>
    isHash(sha256) && (await (await objects()).find(keyOf(tenant, sha256))) !== undefined;

  async function store(tenant: TenantId, file: string, blob: Blob): Promise<Blob> {
    const s3 = await objects();
    const key = keyOf(tenant, blob.sha256);
    await s3.put(key, file, blob);
    if (await waitForRemoval(markerOf(tenant, blob.sha256))) await s3.put(key, file, blob);
    return blob;
  }

  return {
    service: {
      name: `s3://${bucket}/${prefix}`,
      async signUrl(tenant, { sha256, ...input }) {
        return (await isInBucket(tenant, sha256)) ? (await objects()).sign(keyOf(tenant, sha256), input) : undefined;
      },
    },
    put: (tenant, source) => temporaryOf(tenant).withTemporary(source, (file, blob) => store(tenant, file, blob)),
    has: async (tenant, sha256) => (await isInBucket(tenant, sha256)) || local.has(tenant, sha256),
    async read(tenant, sha256) {
      const found = await get(tenant, sha256);
      if (found === undefined) return local.read(tenant, sha256);
      return { bytes: found.bytes, stream: pipeline(found.stream, verifying(sha256), () => {}) };
    },
    async withPath(tenant, sha256, use) {
      const found = await get(tenant, sha256);
      if (found === undefined) return local.withPath(tenant, sha256, use);
      return temporaryOf(tenant).withTemporary(found.stream, async (file, blob) => {
        if (blob.sha256 === sha256) return use(file);
        throw faults.INTEGRITY_ERROR({ why: `the content of the file ${sha256} has changed` });
      });
    },
    async remove(tenant, sha256) {
      await local.remove(tenant, sha256);
      if (isHash(sha256)) await (await objects()).remove(keyOf(tenant, sha256));
    },
    async sweep(tenant, needed, now, signal) {
      let count = await local.sweep(tenant, needed, now, signal);
      const before = trashedBefore(now);
      for await (const page of (await objects()).list(folderOf(tenant))) {
        for (const { name, modifiedAt } of page) {
          if (signal.aborted) return count;
          if (!isHash(name) || modifiedAt >= before || needed.has(name)) continue;
          if (await removeOlder(tenant, name, before)) count += 1;
        }
      }
      return count;
    },
  };
}
