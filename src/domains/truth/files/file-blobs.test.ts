import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { limits } from '#kernel/limits.ts';
import { type S3Server, startS3 } from '#tests/support/s3/s3-server.ts';
import { truthLimits } from '../truth-limits.ts';
import { createFolderBlobs, type FileBlobs, tenantFolder } from './file-blobs.ts';
import { createS3Blobs } from './s3/s3-blobs.ts';
import { createS3Objects, type S3Service } from './s3/s3-objects.ts';

const trashMs = limits.trashDays * 86_400_000;
const never = new AbortController().signal;
const none: ReadonlySet<string> = new Set();
const other = toTenantId('other');

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const source = (...chunks: readonly string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

interface BlobsFixture {
  readonly store: FileBlobs;
  /** The data folder. */
  readonly folder: string;
  /** The file with the bytes, in the folder or of the S3 server. */
  fileOf(sha256: string): string;
}

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ff-file-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openFolder(): Promise<BlobsFixture> {
  const folder = await makeFolder();
  const fileOf = (sha256: string) => join(folder, tenantFolder(localTenant), sha256.slice(0, 2), sha256);
  return { store: createFolderBlobs(folder), folder, fileOf };
}

async function openS3(service: Partial<S3Service> = {}): Promise<BlobsFixture & { readonly prefix: string }> {
  const folder = await makeFolder();
  const prefix = `p-${randomBytes(6).toString('hex')}`;
  onTestFinished(() => {
    s3.before = () => undefined;
  });
  const { bucket, endpoint, accessKeyId, secretKey } = s3;
  const store = createS3Blobs({
    ...{ folder, bucket, prefix },
    open: async () =>
      createS3Objects({ bucket, endpoint, accessKeyId, secretKey, region: 'us-east-1', pathStyle: true, ...service }),
  });
  return { store, folder, prefix, fileOf: (sha256) => s3.fileOf(`${prefix}/${tenantFolder(localTenant)}/${sha256}`) };
}

async function readAll({ store }: BlobsFixture, sha256: string, tenant = localTenant): Promise<Buffer | undefined> {
  const opened = await store.read(tenant, sha256);
  return opened === undefined
    ? undefined
    : Buffer.concat(await Array.fromAsync(opened.stream as AsyncIterable<Buffer>));
}

/** Also the temporary ones. */
const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((at) => at.isFile()).map(({ name }) => name);

const failureOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : String(error)),
  );

describe.each([
  ['in a folder', openFolder],
  ['on S3', openS3],
] as const)('[IG50] files %s', (_title, open) => {
  test('are returned as they were put, under their hash, also empty ones and those of several chunks', async () => {
    const fixture = await open();
    for (const chunks of [[], ['some bytes'], ['a', 'b'.repeat(100_000), 'c']]) {
      const text = chunks.join('');
      const blob = await fixture.store.put(localTenant, source(...chunks));
      expect(blob).toEqual({ sha256: hashOf(text), bytes: Buffer.byteLength(text) });
      expect(String(await readAll(fixture, blob.sha256))).toBe(text);
      expect(await fixture.store.has(localTenant, blob.sha256)).toBe(true);
    }
  });

  test('with the same bytes are stored once, also when they are put together', async () => {
    const { store, fileOf } = await open();
    const puts = Array.from({ length: 5 }, () => store.put(localTenant, source('same bytes')));
    expect(new Set((await Promise.all(puts)).map(({ sha256 }) => sha256)).size).toBe(1);
    const folder = dirname(fileOf(hashOf('same bytes')));
    const named = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}(?:\._S3rver_object)?$/.test(name));
    expect(named).toHaveLength(1);
  });

  test('of another tenant and unknown ones are not found', async () => {
    const fixture = await open();
    const { sha256 } = await fixture.store.put(localTenant, source('mine'));
    expect([await fixture.store.has(other, sha256), await readAll(fixture, sha256, other)]).toEqual([false, undefined]);
    for (const name of [hashOf('unknown'), '', '../x', `${sha256}/..`, sha256.toUpperCase()])
      expect([await fixture.store.has(localTenant, name), await readAll(fixture, name)]).toEqual([false, undefined]);
  });

  test('leave nothing behind if their source fails or is larger than the limit', async () => {
    const { store, folder, fileOf } = await open();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('first');
        throw new Error('the client is gone');
      })(),
    );
    expect(await failureOf(store.put(localTenant, broken))).toBe('Error: the client is gone');
    const large = (async function* () {
      for (let i = 0; i < 51; i += 1) yield Buffer.alloc(1024 * 1024);
    })();
    expect(await failureOf(store.put(localTenant, large))).toContain('RESOURCE_LIMIT');
    expect(await filesIn(folder)).toEqual([]);
    expect(await readdir(dirname(fileOf(hashOf('first')))).catch(() => [])).toEqual([]);
  });

  test('of exactly the limit are accepted', async () => {
    const { store, fileOf } = await open();
    const chunk = Buffer.alloc(truthLimits.fileBytes / 50, 'x');
    const { bytes, sha256 } = await store.put(localTenant, Readable.from(Array.from({ length: 50 }, () => chunk)));
    expect([bytes, (await stat(fileOf(sha256))).size]).toEqual([truthLimits.fileBytes, truthLimits.fileBytes]);
  });

  test('that are damaged fail when they are read, and are repaired by putting them again', async () => {
    const fixture = await open();
    const { sha256 } = await fixture.store.put(localTenant, source('sound bytes'));
    for (const damaged of ['sound bytez', 'sound']) {
      await writeFile(fixture.fileOf(sha256), damaged);
      expect(await failureOf(readAll(fixture, sha256))).toContain('INTEGRITY_ERROR');
    }
    await fixture.store.put(localTenant, source('sound bytes'));
    expect(String(await readAll(fixture, sha256))).toBe('sound bytes');
  });

  test('are given to other processes as a path', async () => {
    const { store } = await open();
    const { sha256 } = await store.put(localTenant, source('for a worker'));
    expect(await store.withPath(localTenant, sha256, (path) => readFile(path, 'utf8'))).toBe('for a worker');
  });

  test('[TR36] are removed by a sweep when they are old and unneeded', async () => {
    const now = Date.now();
    const { store, fileOf } = await open();
    const { sha256 } = await store.put(localTenant, source('some bytes'));
    const setTime = (at: number) => utimes(fileOf(sha256), new Date(at), new Date(at));
    await setTime(now - trashMs + 5_000);
    expect(await store.sweep(localTenant, none, now, never)).toBe(0);
    await setTime(now - trashMs - 5_000);
    expect(await store.sweep(localTenant, new Set([sha256]), now, never)).toBe(0);
    expect(await store.sweep(other, none, now, never)).toBe(0);
    expect(await store.sweep(localTenant, none, now, AbortSignal.abort())).toBe(0);
    expect(await store.has(localTenant, sha256)).toBe(true);
    expect(await store.sweep(localTenant, none, now, never)).toBe(1);
    expect(await store.has(localTenant, sha256)).toBe(false);
    expect(await store.sweep(localTenant, none, now, never)).toBe(0);
  });

  test('[TR36] that are put again count as new for the sweep', async () => {
    const now = Date.now();
    const { store, fileOf } = await open();
    const { sha256 } = await store.put(localTenant, source('again'));
    await utimes(fileOf(sha256), new Date(now - 2 * trashMs), new Date(now - 2 * trashMs));
    await store.put(localTenant, source('again'));
    expect(await store.sweep(localTenant, none, now, never)).toBe(0);
    expect(await store.has(localTenant, sha256)).toBe(true);
  });
});

describe('files in a folder', () => {
  test('[TR36] are never moved while they are recent, so that readers always find them', async () => {
    const now = Date.now();
    const { store, fileOf } = await openFolder();
    const { sha256 } = await store.put(localTenant, source('some bytes'));
    await utimes(fileOf(sha256), new Date(now - trashMs), new Date(now - trashMs));
    // Moving a file out and back would change the folder's modification time.
    await utimes(dirname(fileOf(sha256)), 1, 1);
    expect(await store.sweep(localTenant, none, now, never)).toBe(0);
    expect((await stat(dirname(fileOf(sha256)))).mtimeMs).toBe(1_000);
    expect(await store.has(localTenant, sha256)).toBe(true);
  });
});

describe('[IG50] files on S3', () => {
  test('are signed with the hash of their content, so that the service refuses other bytes', async () => {
    const { store } = await openS3();
    const hashes: unknown[] = [];
    s3.before = ({ method, headers }) => {
      if (method === 'PUT') hashes.push(headers['x-amz-content-sha256'], headers['content-length']);
      return undefined;
    };
    const { sha256 } = await store.put(localTenant, source('signed'));
    expect(hashes).toEqual([sha256, '6']);
  });

  test('[TR36] stay if they are put again after the sweep has announced their removal', async () => {
    const fixture = await openS3();
    const { store, fileOf } = fixture;
    const { sha256 } = await store.put(localTenant, source('wanted again'));
    const old = new Date(Date.now() - 2 * trashMs);
    await utimes(fileOf(sha256), old, old);
    let putting: Promise<unknown> | undefined;
    // The removal waits until the other put has seen its marker.
    s3.before = async ({ method, url = '' }) => {
      if (method !== 'DELETE' || url.includes('/removing/')) return undefined;
      await new Promise<void>((seen) => {
        s3.before = (req) => {
          if (req.method === 'HEAD' && req.url?.includes('/removing/')) seen();
          return undefined;
        };
        putting = store.put(localTenant, source('wanted again'));
      });
      return undefined;
    };
    await store.sweep(localTenant, none, Date.now(), never);
    expect(putting).toBeDefined();
    await putting;
    expect(String(await readAll(fixture, sha256))).toBe('wanted again');
  });

  test('[TR36] stay if they are put again between the list and the removal', async () => {
    const fixture = await openS3();
    const { store, fileOf } = fixture;
    const { sha256 } = await store.put(localTenant, source('put in between'));
    const old = new Date(Date.now() - 2 * trashMs);
    await utimes(fileOf(sha256), old, old);
    s3.before = async ({ method, url = '' }) => {
      if (method !== 'PUT' || !url.includes('/removing/')) return undefined;
      s3.before = () => undefined;
      await store.put(localTenant, source('put in between'));
      return undefined;
    };
    expect(await store.sweep(localTenant, none, Date.now(), never)).toBe(0);
    expect(String(await readAll(fixture, sha256))).toBe('put in between');
  });

  test('[TR36] are swept in more than one page of the list', async () => {
    const { store, fileOf } = await openS3();
    const old = new Date(Date.now() - 2 * trashMs);
    await mkdir(dirname(fileOf('')), { recursive: true });
    const hashes = Array.from({ length: 1_002 }, (_, i) => hashOf(`file ${i}`)).sort();
    for (const sha256 of hashes) await writeFile(fileOf(sha256), '');
    const last = hashes.at(-1)!;
    await utimes(fileOf(last), old, old);
    expect(await store.sweep(localTenant, none, Date.now(), never)).toBe(1);
    expect([await store.has(localTenant, last), await store.has(localTenant, hashes[0]!)]).toEqual([false, true]);
  });

  test('leave no temporary file, whether the use of a path succeeds or fails', async () => {
    const { store, folder, fileOf } = await openS3();
    const { sha256 } = await store.put(localTenant, source('temporary'));
    expect(await store.withPath(localTenant, sha256, async () => (await filesIn(folder)).length)).toBe(1);
    const failing = store.withPath(localTenant, sha256, () => Promise.reject(new Error('the worker failed')));
    expect(await failureOf(failing)).toBe('Error: the worker failed');
    await writeFile(fileOf(sha256), 'temporarx');
    expect(await failureOf(store.withPath(localTenant, sha256, async () => 'used'))).toContain('INTEGRITY_ERROR');
    expect(await filesIn(folder)).toEqual([]);
  });

  test('[IG53] that were stored in the folder before are still found, and have no URL of the service', async () => {
    const fixture = await openS3();
    const { sha256 } = await createFolderBlobs(fixture.folder).put(localTenant, source('from before'));
    expect(await fixture.store.has(localTenant, sha256)).toBe(true);
    expect(String(await readAll(fixture, sha256))).toBe('from before');
    expect(await fixture.store.withPath(localTenant, sha256, (path) => readFile(path, 'utf8'))).toBe('from before');
    const input = { sha256, contentType: 'text/plain', fileName: 'a.txt', signedAtS: 0, expiresInS: 60 };
    expect(await fixture.store.service?.signUrl(localTenant, input)).toBeUndefined();
  });

  test('[IG52] have URLs that serve them with type and name until they expire', async () => {
    const { store } = await openS3();
    const { sha256 } = await store.put(localTenant, source('<p>linked</p>'));
    const nowS = Math.floor(Date.now() / 1000);
    const sign = (signedAtS: number) =>
      store.service!.signUrl(localTenant, {
        sha256,
        contentType: 'text/html',
        fileName: 'ä.html',
        signedAtS,
        expiresInS: 60,
      });
    const answer = await fetch((await sign(nowS))!);
    expect([answer.status, await answer.text()]).toEqual([200, '<p>linked</p>']);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%A4.html");
    expect((await fetch((await sign(nowS - 62))!)).status).toBe(403);
    const changed = (await sign(nowS))!.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000');
    expect((await fetch(changed)).status).toBe(403);
  });

  test('[IG51] explain a wrong bucket, key id and secret, without the secret', async () => {
    const cases: readonly (readonly [Partial<S3Service>, string])[] = [
      [{ bucket: 'no-such-bucket' }, 'NoSuchBucket): the bucket does not exist: check s3Bucket'],
      [{ accessKeyId: 'unknown-id' }, 'InvalidAccessKeyId): check s3AccessKeyId'],
      [{ secretKey: 'a-wrong-secret' }, 'SignatureDoesNotMatch): check s3SecretKey'],
    ];
    for (const [service, text] of cases) {
      const { store, folder } = await openS3(service);
      const put = await failureOf(store.put(localTenant, source('x')));
      const has = await failureOf(store.has(localTenant, hashOf('x')));
      expect(put).toContain('UPLOAD_FAILED');
      expect(has).toContain('SERVICE_UNAVAILABLE');
      for (const failure of [put, has]) {
        expect(failure).toContain(text);
        expect(failure).not.toContain('secret/');
        expect(failure).not.toContain('a-wrong-secret');
      }
      expect(await filesIn(folder)).toEqual([]);
    }
  });

  test('[IG51] say that the service does not answer: no connection, errors, and an answer that breaks off', async () => {
    const fixture = await openS3();
    const { store } = fixture;
    const { sha256 } = await store.put(localTenant, source('a'.repeat(100_000)));
    const unavailable = expect.stringContaining('SERVICE_UNAVAILABLE: The file storage at 127.0.0.1');
    s3.before = (_req, res) => {
      res.writeHead(503, { 'content-type': 'text/html' }).end('<html>busy</html>');
      return true;
    };
    expect(await failureOf(store.put(localTenant, source('x')))).toEqual(unavailable);
    expect(await failureOf(store.has(localTenant, sha256))).toEqual(unavailable);
    s3.before = (_req, res) => {
      res.writeHead(200, { 'content-length': '100000' });
      res.write('half', () => res.destroy());
      return true;
    };
    expect(await failureOf(readAll(fixture, sha256))).toEqual(unavailable);
    s3.before = () => undefined;
    await s3.stop();
    try {
      expect(await failureOf(store.put(localTenant, source('x')))).toEqual(unavailable);
      expect(await failureOf(store.has(localTenant, sha256))).toEqual(unavailable);
      expect(await failureOf(readAll(fixture, sha256))).toEqual(unavailable);
      expect(await failureOf(store.sweep(localTenant, none, Date.now(), never))).toEqual(unavailable);
    } finally {
      await s3.start();
    }
    expect((await readAll(fixture, sha256))?.length).toBe(100_000);
    expect(await filesIn(fixture.folder)).toEqual([]);
  });

  test('[IG51] are put again if the service is busy for a moment', async () => {
    const fixture = await openS3();
    let busyCount = 2;
    s3.before = ({ method }, res) => {
      if (method !== 'PUT' || busyCount === 0) return undefined;
      busyCount -= 1;
      res.writeHead(503).end();
      return true;
    };
    const { sha256 } = await fixture.store.put(localTenant, source('patience'));
    expect(String(await readAll(fixture, sha256))).toBe('patience');
    expect(busyCount).toBe(0);
  });

  test.runIf(process.platform === 'linux')('hold no connection open when a reader stops early', async () => {
    const fixture = await openS3();
    const { sha256 } = await fixture.store.put(localTenant, source('b'.repeat(5_000_000)));
    let closedCount = 0;
    s3.before = (_req, res) => {
      res.on('close', () => {
        closedCount += 1;
      });
      return undefined;
    };
    const opened = await fixture.store.read(localTenant, sha256);
    opened?.stream.destroy();
    await vi.waitUntil(() => closedCount === 1, { timeout: 60_000 });
  });
});
