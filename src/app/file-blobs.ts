import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import { createFolderBlobs, type FileBlobs } from '#domains/truth/files/file-blobs.ts';
import { createS3Blobs } from '#domains/truth/files/s3/s3-blobs.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { homeNames } from './admin/home-layout.ts';

const misconfigured = (why: string) => faults.CONFIG_ERROR({ why });

function readSecret({ s3SecretKey, s3SecretKeyFile }: Settings): string {
  if (s3SecretKey !== undefined) return s3SecretKey;
  if (s3SecretKeyFile === undefined) throw misconfigured('s3Bucket needs s3SecretKey or s3SecretKeyFile');
  try {
    return readFileSync(s3SecretKeyFile, 'utf8').trim();
  } catch (error) {
    throw misconfigured(`s3SecretKeyFile cannot be read: ${(error as Error).message}`);
  }
}

async function loadS3() {
  try {
    return await import('#domains/truth/files/s3/s3-objects.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const names = '@aws-sdk/client-s3 and @aws-sdk/s3-request-presigner';
    throw misconfigured(`s3Bucket needs the packages ${names}: install them where fourfold is installed`);
  }
}

/** The uploaded files of all tenants. The S3 packages are loaded when the first file is used. */
export function openFileBlobs(settings: Settings): FileBlobs {
  const folder = join(settings.home, homeNames.blobs);
  const { s3Bucket: bucket, s3Prefix, s3Endpoint: endpoint, s3Region: region, s3AccessKeyId: accessKeyId } = settings;
  if (bucket === undefined) return createFolderBlobs(folder);
  return createS3Blobs({
    folder,
    bucket,
    prefix: s3Prefix
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
    async open() {
      if (accessKeyId === undefined) throw misconfigured('s3Bucket needs s3AccessKeyId');
      const secretKey = readSecret(settings);
      const { createS3Objects } = await loadS3();
      const pathStyle = settings.s3PathStyle ?? endpoint !== undefined;
      return createS3Objects({ bucket, endpoint, region, accessKeyId, secretKey, pathStyle });
    },
  });
}
