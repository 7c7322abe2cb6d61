import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import { createFolderBlobs } from './file-blobs.ts';

const trashMs = limits.trashDays * 86_400_000;
const never = new AbortController().signal;
const none: ReadonlySet<string> = new Set();

/** A folder with one file of a given age. */
async function createBlobsFixture(putAt: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ff-file-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = createFolderBlobs(folder);
  const { sha256 } = await store.put(localTenant, Readable.from([Buffer.from('some bytes')]));
  const [name] = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(sha256));
  const file = join(folder, name!);
  await utimes(file, new Date(putAt), new Date(putAt));
  return { store, sha256, file };
}

test('[TR36] never moves recent unneeded bytes, so that readers always find them', async () => {
  const now = Date.now();
  const { store, sha256, file } = await createBlobsFixture(now - trashMs);
  // Moving a file out and back would change the folder's modification time.
  await utimes(dirname(file), 1, 1);
  expect(await store.sweep(localTenant, none, now, never)).toBe(0);
  expect((await stat(dirname(file))).mtimeMs).toBe(1_000);
  expect(await store.has(localTenant, sha256)).toBe(true);
});

test('[TR36] removes old unneeded bytes and keeps needed ones', async () => {
  const now = Date.now();
  const { store, sha256 } = await createBlobsFixture(now - trashMs - 1);
  expect(await store.sweep(localTenant, new Set([sha256]), now, never)).toBe(0);
  expect(await store.sweep(localTenant, none, now, AbortSignal.abort())).toBe(0);
  expect(await store.has(localTenant, sha256)).toBe(true);
  expect(await store.sweep(localTenant, none, now, never)).toBe(1);
  expect(await store.has(localTenant, sha256)).toBe(false);
});
