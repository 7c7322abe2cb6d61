import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Blob } from '#kernel/blob/blobs.ts';
import { contentDisposition } from '#kernel/text/content-disposition.ts';
import { truthFaults } from '../../truth-faults.ts';
import type { SignedUrlInput } from '../file-blobs.ts';
import { hasAnswered, isMissingObject, isOutage, toS3Fault } from './s3-faults.ts';
import { s3Limits } from './s3-limits.ts';

export interface S3Service {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
  readonly pathStyle: boolean;
}

export interface FoundObject {
  readonly bytes: number;
  readonly modifiedAt: number;
}

const { s3ConnectMs, s3RequestMs, s3TriesCount } = s3Limits;

/** Otherwise the package writes to the console. Failures become faults. */
const ignore = (): void => {};
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const createClient = ({ endpoint, region, accessKeyId, secretKey, pathStyle }: S3Service): S3Client =>
  new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey: secretKey },
    forcePathStyle: pathStyle,
    // Many services do not know the checksums that only Amazon needs. The content hash is signed instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: s3TriesCount,
    logger,
    requestHandler: { connectionTimeout: s3ConnectMs, requestTimeout: s3RequestMs, throwOnRequestTimeout: true },
  });

/** The service refuses bytes that do not have the signed hash, so that no partial or changed object gets the name. */
function putCommand(Bucket: string, Key: string, file: string, { sha256, bytes }: Blob): PutObjectCommand {
  const command = new PutObjectCommand({ Bucket, Key, Body: createReadStream(file), ContentLength: bytes });
  command.middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'signContentHash' },
  );
  return command;
}

export type S3Objects = ReturnType<typeof createS3Objects>;

/** Objects of one bucket. Every error is a fault without credentials. */
export function createS3Objects(service: S3Service) {
  const client = createClient(service);
  const { bucket: Bucket, endpoint } = service;
  const host = endpoint === undefined ? 'Amazon S3' : new URL(endpoint).host;

  async function* readBody(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      throw toS3Fault(error, host, 'read');
    }
  }

  async function get(Key: string): Promise<(FoundObject & { readonly stream: Readable }) | undefined> {
    try {
      const { Body, ContentLength, LastModified } = await client.send(new GetObjectCommand({ Bucket, Key }));
      const body = Body as Readable;
      const stream = Readable.from(readBody(body), { objectMode: false });
      // A stream that was never read does not close its source.
      stream.once('close', () => body.destroy());
      return { bytes: ContentLength ?? 0, modifiedAt: LastModified?.getTime() ?? 0, stream };
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      throw toS3Fault(error, host, 'read');
    }
  }

  async function find(Key: string, abortSignal?: AbortSignal): Promise<FoundObject | undefined> {
    try {
      const command = new HeadObjectCommand({ Bucket, Key });
      const { ContentLength, LastModified } = await client.send(command, { ...(abortSignal && { abortSignal }) });
      return { bytes: ContentLength ?? 0, modifiedAt: LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (!hasAnswered(error)) throw toS3Fault(error, host, 'read');
    }
    // An answer to HEAD has no body, so it does not say whether the object or the bucket is missing.
    const found = await get(Key);
    found?.stream.destroy();
    return found;
  }

  return {
    get,
    find,
    async put(Key: string, file: string, blob: Blob): Promise<void> {
      // The package does not repeat requests with a stream.
      for (let tryCount = 1; ; tryCount += 1) {
        try {
          const { ETag } = await client.send(putCommand(Bucket, Key, file, blob));
          // A proxy or another server may answer with 200 to anything.
          if (ETag === undefined)
            throw truthFaults.UPLOAD_FAILED({ why: `${host} does not answer as S3: check s3Endpoint` });
          return;
        } catch (error) {
          if (tryCount === s3TriesCount || !isOutage(error)) throw toS3Fault(error, host, 'write');
          await delay(100 * 2 ** tryCount);
        }
      }
    },
    async putEmpty(Key: string): Promise<void> {
      try {
        await client.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array(0) }));
      } catch (error) {
        throw toS3Fault(error, host, 'write');
      }
    },
    async remove(Key: string, abortSignal?: AbortSignal): Promise<void> {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key }), { ...(abortSignal && { abortSignal }) });
      } catch (error) {
        throw toS3Fault(error, host, 'read');
      }
    },
    /** Objects directly below a folder, in pages: the last part of the key and the time it was put. */
    async *list(folder: string): AsyncGenerator<readonly { readonly name: string; readonly modifiedAt: number }[]> {
      const Prefix = `${folder}/`;
      for (let ContinuationToken: string | undefined; ; ) {
        const input = { Bucket, Prefix, Delimiter: '/', ...(ContinuationToken && { ContinuationToken }) };
        let page: Awaited<ReturnType<typeof listPage>>;
        try {
          page = await listPage(input);
        } catch (error) {
          throw toS3Fault(error, host, 'read');
        }
        yield (page.Contents ?? []).map(({ Key = '', LastModified }) => ({
          name: Key.slice(Prefix.length),
          // An object without a time counts as new, so that it is kept.
          modifiedAt: LastModified?.getTime() ?? Number.POSITIVE_INFINITY,
        }));
        if (page.IsTruncated !== true || page.NextContinuationToken === ContinuationToken) return;
        ContinuationToken = page.NextContinuationToken;
      }
    },
    sign: (Key: string, { contentType, fileName, signedAtS, expiresInS }: Omit<SignedUrlInput, 'sha256'>) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket,
          Key,
          ResponseContentType: contentType,
          ResponseContentDisposition: contentDisposition(contentType, fileName),
        }),
        { expiresIn: expiresInS, signingDate: new Date(signedAtS * 1000) },
      ),
  };

  function listPage(input: ConstructorParameters<typeof ListObjectsV2Command>[0]) {
    return client.send(new ListObjectsV2Command(input));
  }
}
