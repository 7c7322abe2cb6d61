import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../fault/fault.ts';
import { createKeys, openKeys } from './keys.ts';

describe('derived keys', () => {
  const keys = createKeys(Buffer.alloc(32, 1));

  it('are the same for the same purpose and secret, also after a restart', () => {
    expect(keys.derive('audit')).toEqual(keys.derive('audit'));
    expect(createKeys(Buffer.alloc(32, 1)).derive('audit')).toEqual(keys.derive('audit'));
    // Changing the derivation would invalidate every stored HMAC.
    expect(keys.derive('audit').toString('hex')).toBe(
      '740beed85ad709a68d7bb937466fc1a9c27a5b5c79f3634f985a13be4fcfd56b',
    );
  });

  it('differ by purpose and by secret, and never equal the secret', () => {
    const all = [
      keys.derive('audit'),
      keys.derive('cursors'),
      createKeys(Buffer.alloc(32, 2)).derive('audit'),
      Buffer.alloc(32, 1),
    ];
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(4);
    expect(all.every((key) => key.length === 32)).toBe(true);
  });
});

describe('the key file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    file = join(folder, 'key');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const faultOf = (path = file): Fault => {
    try {
      openKeys(path);
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
    throw new Error('it opened');
  };

  it('is created at the first start, readable by its owner only, and read at the next', async () => {
    const made = openKeys(file).derive('audit');
    expect(openKeys(file).derive('audit')).toEqual(made);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^[\w-]{43}\n$/);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('is the same for processes that start together', async () => {
    // Two threads start each file together, so some of them race while it is created.
    const program = `const { parentPort, workerData: { url, folder, rounds, line } } = require('node:worker_threads');
      import(url).then(({ openKeys }) => {
        const made = [];
        for (let round = 0; round < rounds; round += 1) {
          Atomics.add(line, 0, 1);
          while (Atomics.load(line, 0) < 2 * (round + 1));
          made.push(openKeys(folder + '/key-' + round).derive('audit').toString('hex'));
        }
        parentPort.postMessage(made);
      });`;
    const rounds = 100;
    const line = new Int32Array(new SharedArrayBuffer(4));
    const url = new URL('./keys.ts', import.meta.url).href;
    const run = async (): Promise<unknown> => {
      const thread = new Worker(program, { eval: true, workerData: { url, folder, rounds, line } });
      return (await once(thread, 'message'))[0];
    };
    const [here, there] = await Promise.all([run(), run()]);
    expect(here).toHaveLength(rounds);
    expect(there).toEqual(here);
    expect(await readdir(folder)).toHaveLength(rounds);
  });

  it.each(['', 'short', 'A'.repeat(44), '{"key":"x"}'])(
    'is damaged if it contains %j, and is not replaced',
    async (content) => {
      await writeFile(file, content);
      expect(faultOf().message).toMatch(/key is damaged: restore it/);
      expect(await readFile(file, 'utf8')).toBe(content);
    },
  );

  it('is named in one clear line if it cannot be read or created', async () => {
    await mkdir(file);
    expect([faultOf().code, faultOf().message]).toEqual([
      'CONFIG_ERROR',
      expect.stringMatching(/^the key file .* cannot be read: EISDIR/),
    ]);
    expect(faultOf(join(folder, 'missing', 'key')).message).toMatch(/^the key file .* could not be made: ENOENT/);
  });
});
