import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createFolderBlobs, type FileBlobs } from '#domains/truth/files/file-blobs.ts';
import { findFile, insertFile, listFiles } from '#domains/truth/files/file-store.ts';
import { localTenant } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { createCall } from '#tests/contract/storage/call.ts';
import type { Engine } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { clock, exporting, importing, openStore, tempFolder } from './export.fixture.ts';
import { exportLimits } from './export-format.ts';
import type { ImportMode } from './import-tenant.ts';

const call = () => createCall(localTenant, { audit: 'none', deadlineAt: clock.now() + 60_000 });

async function* chunked(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

async function open(engine?: Engine) {
  const { storage } = await openStore(engine);
  const folder = tempFolder();
  const blobs = createFolderBlobs(join(folder, 'blobs'));
  return {
    storage,
    folder,
    blobs,
    async put(bytes: Buffer, bucket = 'files'): Promise<string> {
      const { sha256 } = await blobs.put(localTenant, chunked(bytes));
      const row = { bucket, sha256, bytes: bytes.length, content_type: 'text/plain', file_name: 'a', record_id: null };
      await storage.write(call(), (db) => insertFile(db, row)[Symbol.iterator]());
      return sha256;
    },
    bytesOf: async (sha256: string) => {
      const opened = await blobs.read(localTenant, sha256);
      return opened === undefined ? undefined : buffer(opened.stream);
    },
    pathOf: (sha256: string) => blobs.withPath(localTenant, sha256, async (path) => path),
    hasRow: async (sha256: string) =>
      (await storage.read(call(), (db) => findFile(db, { bucket: 'files', sha256 }))) !== undefined,
  };
}
type Store = Awaited<ReturnType<typeof open>>;

const exportTo = ({ storage, blobs }: Store, to: string, fileBlobs: FileBlobs | undefined = blobs) =>
  exporting(storage, to, { fileBlobs });
const importInto = ({ storage, blobs }: Store, from: string, mode: ImportMode = 'fail') =>
  importing(storage, from, mode, { fileBlobs: blobs });

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

/** Adds a valid trailer, so that the changed line is rejected and not the hash of the export. */
function seal(file: string, lines: readonly string[], partsCount: number): void {
  const body = lines.slice(0, -1).map((line) => `${line}\n`);
  const trailer = JSON.parse(lines.at(-1)!) as { counts: Record<string, number> };
  const sha256 = createHash('sha256').update(body.join('')).digest('hex');
  const counts = { ...trailer.counts, truth_file_bytes: partsCount };
  writeFileSync(file, `${body.join('')}${JSON.stringify({ end: true, counts, sha256 })}\n`);
}

/** Including partial ones. */
async function countKept({ folder }: Store): Promise<number> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

const isPart = (line: string): boolean => line.startsWith('{"t":"truth_file_bytes"');

describe.each([sqliteEngine(false), postgresEngine(false)])('[TR53] files in an export, on $name', (engine) => {
  test('have their bytes, in lines of bounded length, and are restored byte for byte', async () => {
    const [one, two] = [await open(engine), await open(engine)];
    const files = [
      Buffer.alloc(0),
      Buffer.from('a small file'),
      randomBytes(exportLimits.partBytes),
      randomBytes(5 * exportLimits.partBytes + 1),
    ];
    const hashes: string[] = [];
    for (const bytes of files) hashes.push(await one.put(bytes));
    // The same bytes in two buckets are exported once.
    expect(await one.put(files[1]!, 'archive')).toBe(hashes[1]);
    const file = join(one.folder, 'out');
    expect(await exportTo(one, file)).toMatchObject({ rows: 5, files: 4 });
    const parts = linesOf(file).filter(isPart);
    expect(parts).toHaveLength(1 + 1 + 1 + 6);
    expect(Math.max(...parts.map((line) => line.length))).toBeLessThan(exportLimits.chunkBytes);

    expect(await importInto(two, file)).toMatchObject({ read: 5, written: 5, files: 4 });
    for (const [i, sha256] of hashes.entries()) {
      expect((await two.bytesOf(sha256))?.equals(files[i]!)).toBe(true);
      expect(await two.hasRow(sha256)).toBe(true);
    }
    await exportTo(two, join(two.folder, 'again'));
    expect(readFileSync(join(two.folder, 'again')).equals(readFileSync(file))).toBe(true);
  });

  test('are restored where rows exist but bytes are missing or damaged', async () => {
    const [one, two] = [await open(engine), await open(engine)];
    const [lost, damaged] = [await one.put(randomBytes(1_000)), await one.put(randomBytes(2_000))];
    const file = join(one.folder, 'out');
    await exportTo(one, file);
    await importInto(two, file);
    rmSync(await two.pathOf(lost));
    writeFileSync(await two.pathOf(damaged), 'other bytes');
    await expect(importInto(two, file)).rejects.toMatchObject({ code: 'IMPORT_TAKEN' });
    expect(await importInto(two, file, 'skip')).toMatchObject({ written: 0, files: 2 });
    expect((await two.bytesOf(lost))?.equals((await one.bytesOf(lost))!)).toBe(true);
    expect((await two.bytesOf(damaged))?.equals((await one.bytesOf(damaged))!)).toBe(true);
  });
});

test('an export without bytes, as older versions wrote it, is imported', async () => {
  const [one, two] = [await open(), await open()];
  const sha256 = await one.put(Buffer.from('left behind'));
  const file = join(one.folder, 'old');
  await exporting(one.storage, file);
  expect(linesOf(file)[0]).not.toContain('truth_file_bytes');
  expect(await importInto(two, file)).toMatchObject({ written: 1, files: 0 });
  expect([await two.hasRow(sha256), await two.bytesOf(sha256)]).toEqual([true, undefined]);
});

test('missing and damaged bytes are left out of an export and reported', async () => {
  const [one, two] = [await open(), await open()];
  const [sound, lost, damaged] = [
    await one.put(Buffer.from('a')),
    await one.put(Buffer.from('b')),
    await one.put(randomBytes(2_000_000)),
  ];
  rmSync(await one.pathOf(lost));
  writeFileSync(await one.pathOf(damaged), randomBytes(2_000_000));
  const file = join(one.folder, 'out');
  const { files, leftOut } = await exportTo(one, file);
  expect(files).toBe(1);
  expect(leftOut?.toSorted((a, b) => (a.problem < b.problem ? -1 : 1))).toEqual([
    { file: `fourfold://files/${damaged}`, problem: expect.stringContaining('damaged') },
    { file: `fourfold://files/${lost}`, problem: expect.stringContaining('missing') },
  ]);
  expect(await importInto(two, file)).toMatchObject({ written: 3, files: 1 });
  expect(await two.bytesOf(sound)).toEqual(Buffer.from('a'));
});

describe('an import refuses a file, and changes nothing, if', () => {
  async function expectRefused(change: (parts: string[]) => readonly string[], why: string): Promise<void> {
    const [one, two] = [await open(), await open()];
    await one.put(randomBytes(2 * exportLimits.partBytes + 5));
    const file = join(one.folder, 'out');
    await exportTo(one, file);
    const lines = linesOf(file);
    const at = lines.findIndex(isPart);
    const parts = change(lines.filter(isPart));
    seal(file, [...lines.slice(0, at), ...parts, ...lines.slice(at + 3)], parts.length);
    await expect(importInto(two, file)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      message: expect.stringContaining(why),
    });
    expect(await countKept(two)).toBe(0);
    expect(await two.storage.read(call(), (db) => listFiles(db, { bucket: '', sha256: '' }, 10))).toEqual([]);
  }
  const withBytes = (line: string, bytes: Buffer): string => {
    const row = JSON.parse(line) as { t: string; r: object };
    return JSON.stringify({ ...row, r: { ...row.r, bytes: { $b64: bytes.toString('base64') } } });
  };

  test('its bytes do not match its hash', () =>
    expectRefused((parts) => parts.with(2, withBytes(parts[2]!, Buffer.from('other'))), 'do not match its hash'));
  test('a part is missing, at the beginning, in the middle or at the end', async () => {
    await expectRefused((parts) => parts.slice(1), 'part 0 of the file');
    await expectRefused((parts) => [parts[0]!, parts[2]!], 'part 1 of the file');
    await expectRefused((parts) => parts.slice(0, 2), 'do not match its hash');
  });
  test('it has no valid name', () =>
    expectRefused(
      (parts) => parts.map((line) => line.replace(/"sha256":"[^"]+"/, '"sha256":"../up"')),
      'names no file',
    ));
  test('its row states another size', async () => {
    const [one, two] = [await open(), await open()];
    const sha256 = await one.put(Buffer.from('five!'));
    const file = join(one.folder, 'out');
    await exportTo(one, file);
    const lines = linesOf(file).map((line) =>
      line.startsWith('{"t":"truth_files"') ? line.replace('"bytes":5', '"bytes":6') : line,
    );
    seal(file, lines, 1);
    await expect(importInto(two, file)).rejects.toThrow('its size is not that of its bytes');
    expect(await two.hasRow(sha256)).toBe(false);
  });
  test('negative control: the same export with a new trailer is accepted', async () => {
    const [one, two] = [await open(), await open()];
    const bytes = randomBytes(2 * exportLimits.partBytes + 5);
    await one.put(bytes);
    const file = join(one.folder, 'out');
    await exportTo(one, file);
    seal(file, linesOf(file), 3);
    expect(await importInto(two, file)).toMatchObject({ files: 1 });
    expect((await two.bytesOf(sha256Hex(bytes)))?.equals(bytes)).toBe(true);
  });
});

test('an import that ends early leaves no partial file behind', async () => {
  const [one, two] = [await open(), await open()];
  await one.put(randomBytes(6 * exportLimits.partBytes));
  const file = join(one.folder, 'out');
  await exportTo(one, file);
  const controller = new AbortController();
  const aborted = importing(two.storage, file, 'fail', {
    fileBlobs: two.blobs,
    signal: controller.signal,
    progress: (_done, _total, message) => {
      if (message?.startsWith('importing truth_file_bytes')) controller.abort(new Error('enough'));
    },
  });
  await expect(aborted).rejects.toThrow('enough');
  expect(await countKept(two)).toBe(0);
});

test('a store that cannot keep the bytes fails the import before the rows are written', async () => {
  const [one, two] = [await open(), await open()];
  const sha256 = await one.put(randomBytes(6 * exportLimits.partBytes));
  const file = join(one.folder, 'out');
  await exportTo(one, file);
  const full: FileBlobs = {
    ...two.blobs,
    async put(_tenant, source) {
      for await (const _ of source) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
      throw new Error('unreachable');
    },
  };
  await expect(importing(two.storage, file, 'fail', { fileBlobs: full })).rejects.toThrow('the disk is full');
  expect(await two.hasRow(sha256)).toBe(false);
});
