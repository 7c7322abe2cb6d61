import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fault } from '../fault/fault.ts';
import { sha256Hex } from '../hash/hash.ts';
import { type Blobs, blobLimits, createBlobs } from './blobs.ts';

const hello = Buffer.from('hello');
const helloHash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('blobs', () => {
  let folder: string;
  let blobs: Blobs;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'blobs-')), 'files');
    blobs = createBlobs({ folder, bytesMax: 1_000 });
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const read = async (sha256: string, verify = false) => {
    const found = await blobs.get(sha256, { verify });
    return found === undefined ? undefined : buffer(found.stream);
  };
  const codeOf = async (promise: Promise<unknown>) =>
    promise.then(
      (value) => value,
      (error: unknown) => (error instanceof Fault ? error.code : String(error)),
    );

  it('return the bytes that were put, under their hash, from bytes and from a stream', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 10 }), async (chunks) => {
        const whole = Buffer.concat(chunks);
        const expected = { sha256: sha256Hex(whole), bytes: whole.length };
        expect(await blobs.put(Readable.from(chunks))).toEqual(expected);
        expect(await blobs.put(whole)).toEqual(expected);
        expect(await read(expected.sha256, true)).toEqual(whole);
        expect(await blobs.stat(expected.sha256)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('with the same bytes are stored once, also when many are put together', async () => {
    const puts = Array.from({ length: 20 }, (_, i) => blobs.put(i % 2 === 0 ? hello : Readable.from([hello])));
    expect(new Set((await Promise.all(puts)).map(({ sha256 }) => sha256))).toEqual(new Set([helloHash]));
    expect((await files()).map((entry) => entry.name)).toEqual([helloHash]);
  });

  it('are readable by their owner only', async () => {
    await blobs.put(hello);
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(join(folder, '2c', helloHash))).toBe(0o600);
    expect(await Promise.all([folder, join(folder, '2c'), join(folder, 'tmp')].map(mode))).toEqual([
      0o700, 0o700, 0o700,
    ]);
  });

  it('are accepted up to the size limit, and rejected one byte above it without a trace', async () => {
    const largest = Buffer.alloc(1_000, 1);
    expect((await blobs.put(largest)).bytes).toBe(1_000);
    expect(await codeOf(blobs.put(Buffer.alloc(1_001)))).toBe('RESOURCE_LIMIT');
    expect(await codeOf(blobs.put(Readable.from([largest, Buffer.from('x')])))).toBe('RESOURCE_LIMIT');
    expect(await files()).toHaveLength(1);
  });

  it('leave nothing behind if their source fails', async () => {
    const broken = (async function* () {
      yield hello;
      throw new Error('the client is gone');
    })();
    expect(await codeOf(blobs.put(broken))).toBe('Error: the client is gone');
    expect(await files()).toEqual([]);
  });

  it('are undefined or false when missing', async () => {
    expect([await blobs.has(helloHash), await blobs.get(helloHash), await blobs.remove(helloHash)]).toEqual([
      false,
      undefined,
      false,
    ]);
    await blobs.put(hello);
    expect([await blobs.has(helloHash), await blobs.remove(helloHash)]).toEqual([true, true]);
    expect(await blobs.has(helloHash)).toBe(false);
  });

  it('accept only hashes as names: no other name ever touches a file', async () => {
    await blobs.put(hello);
    const outside = join(folder, '..', 'outside');
    await writeFile(outside, 'secret');
    const names = [
      '../outside',
      '../../outside',
      outside,
      '',
      '.',
      'tmp',
      helloHash.toUpperCase(),
      `${helloHash}\n`,
      `${helloHash}/..`,
    ];
    for (const name of names) {
      expect([await blobs.has(name), await blobs.get(name), await blobs.remove(name)], name).toEqual([
        false,
        undefined,
        false,
      ]);
    }
    expect(await readFile(outside, 'utf8')).toBe('secret');
    expect(await blobs.has(helloHash)).toBe(true);
  });

  it('that are damaged fail a verified read, and are repaired by putting them again', async () => {
    await blobs.put(hello);
    await writeFile(join(folder, '2c', helloHash), 'jello');
    expect(await codeOf(read(helloHash, true))).toBe('INTEGRITY_ERROR');
    expect(String(await read(helloHash))).toBe('jello');
    await blobs.put(Readable.from([hello]));
    expect(String(await read(helloHash, true))).toBe('hello');
    await writeFile(join(folder, '2c', helloHash), 'hell');
    await blobs.put(hello);
    expect(String(await read(helloHash, true))).toBe('hello');
  });

  it('are not read through a symbolic link in their place', async () => {
    await mkdir(join(folder, '2c'), { recursive: true });
    await writeFile(join(folder, 'other'), 'secret');
    await symlink(join(folder, 'other'), join(folder, '2c', helloHash));
    expect(await codeOf(read(helloHash))).toMatch(/ELOOP/);
  });

  it.runIf(process.platform === 'linux')('leave no open file behind when a reader stops early', async () => {
    const openFiles = async () => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')),
      );
      return links.filter((link) => link.endsWith(helloHash)).length;
    };
    await blobs.put(hello);
    for (const verify of [false, true]) {
      const found = await blobs.get(helloHash, { verify });
      expect(await openFiles()).toBe(1);
      found?.stream.destroy();
      await vi.waitUntil(async () => (await openFiles()) === 0, { timeout: 120_000 });
    }
  });

  it('are all listed with their times, without other files in the folder', async () => {
    const listed = async () => (await Array.fromAsync(blobs.list())).flat();
    expect(await listed()).toEqual([]);
    const put = await Promise.all(Array.from({ length: 20 }, (_, i) => blobs.put(Buffer.from(`blob ${i}`))));
    const [first] = put.map(({ sha256 }) => sha256);
    await utimes(join(folder, first!.slice(0, 2), first!), 1, 1);
    await writeFile(join(folder, first!.slice(0, 2), 'note'), 'x');
    await writeFile(join(folder, first!.slice(0, 2), `${first!.slice(2)}aa`), 'x');
    await writeFile(join(folder, 'tmp', helloHash), 'x');
    const names = (await listed()).map(({ sha256 }) => sha256);
    expect(names.sort()).toEqual(put.map(({ sha256 }) => sha256).sort());
    expect((await listed()).filter(({ putAt }) => putAt < 2_000)).toEqual([{ sha256: first, putAt: 1_000 }]);
  });

  it('are removed when old, but not if they were put again recently', async () => {
    const file = join(folder, '2c', helloHash);
    const moment = Date.now() - 60_000;
    const setTime = (at: number) => utimes(file, new Date(at), new Date(at));
    await blobs.put(hello);
    expect(await blobs.removeOlder(helloHash, moment)).toBe(false);
    await setTime(moment);
    expect(await blobs.removeOlder(helloHash, moment)).toBe(false);
    await setTime(moment - 1_000);
    await blobs.put(Readable.from([hello]));
    expect(await blobs.removeOlder(helloHash, moment)).toBe(false);
    expect(String(await read(helloHash, true))).toBe('hello');
    await setTime(moment - 1_000);
    expect([await blobs.removeOlder(helloHash, moment), await blobs.removeOlder(helloHash, moment)]).toEqual([
      true,
      false,
    ]);
    expect([await files(), await blobs.removeOlder('../outside', moment)]).toEqual([[], false]);
  });

  it('left unfinished by a killed process are removed when old', async () => {
    await mkdir(join(folder, 'tmp'), { recursive: true });
    await writeFile(join(folder, 'tmp', 'old'), 'x');
    await writeFile(join(folder, 'tmp', 'young'), 'x');
    const now = Date.now();
    const long = new Date(now - blobLimits.blobTemporaryMs - 1_000);
    await utimes(join(folder, 'tmp', 'old'), long, long);
    expect(await blobs.sweep(now)).toBe(1);
    expect(await readdir(join(folder, 'tmp'))).toEqual(['young']);
    expect(await createBlobs({ folder: join(folder, 'nowhere') }).sweep(now)).toBe(0);
  });

  it('report a failed write and lose nothing', async () => {
    await blobs.put(hello);
    await rm(join(folder, 'tmp'), { recursive: true });
    await writeFile(join(folder, 'tmp'), 'in the way');
    expect(await codeOf(blobs.put(Buffer.from('other')))).toMatch(/EEXIST|ENOTDIR/);
    await chmod(join(folder, 'tmp'), 0o600);
    expect(String(await read(helloHash, true))).toBe('hello');
  });
});
