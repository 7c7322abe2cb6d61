import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, programFile } from '#tests/support/program.ts';
import { converse, type Victim } from '#tests/support/survival/victim.ts';
import { type Json, mutationOn } from './catalog-program.fixture.ts';

/** A small file system that only the program sees and that vanishes with it. */
const inSmallDisk = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=256k tmpfs "$1" && shift && exec "$@"', 'sh'];
const canMount =
  spawnSync('unshare', [...inSmallDisk.slice(0, 3), 'mount -t tmpfs -o size=64k tmpfs /mnt']).status === 0;
if (!canMount) process.stderr.write('No disk can be mounted here: the tests of a full disk are left out.\n');

const manyCount = 200;

interface Listed {
  readonly count: number;
  readonly items: readonly { readonly id: string; readonly body: string }[];
}

describe.skipIf(!canMount)('an instructions folder on a full disk', () => {
  it('rejects what does not fit, loses and hides nothing, and recovers when there is space', async () => {
    const { folder, remove } = makeFolder();
    const entries = join(folder, 'instructions');
    mkdirSync(entries);
    const child = spawn('unshare', [...inSmallDisk, entries, process.execPath, programFile], {
      env: { PATH: process.env['PATH'], FOURFOLD_HOME: join(folder, 'home'), INSTRUCTIONS_DIR: entries, ...mutationOn },
      stdio: 'pipe',
    });
    const program: Victim = await converse(child);
    const ask = async <T = Json>(name: string, args: Json = {}): Promise<T> => (await program.call<T>(name, args))!;
    const add = (id: string, chars: number, overwrite = false) =>
      ask('instructions/add', { entry: { id, body: `${id} ${'x'.repeat(chars)}` }, lax: true, overwrite });
    const kept: string[] = [];
    const refusals: string[] = [];
    for (let n = 0; n < manyCount && refusals.length < 5; n += 1) {
      const id = `entry-${n}`;
      await add(id, 100 * n).then(
        () => kept.push(id),
        (error: unknown) => refusals.push(String(error)),
      );
    }
    expect(kept.length).toBeGreaterThan(10);
    expect(refusals).toHaveLength(5);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/STORE_UNAVAILABLE.*ENOSPC|ENOSPC.*STORE_UNAVAILABLE/);
      expect(refusal).not.toContain(entries);
    }
    const expectKept = async (): Promise<void> => {
      const { items } = await ask<Listed>('instructions/list');
      expect(items.map(({ id }) => id)).toEqual(kept.toSorted());
      expect(items.every(({ id, body }) => body.startsWith(`${id} x`) || body === id)).toBe(true);
      expect(await ask('integrity/verify')).toMatchObject({ issueCount: 0, count: kept.length });
      expect(await ask('instructions/inspect')).toMatchObject({ data: { validation: { problems: [] } } });
      expect(await ask('instructions/search', { q: 'entry', limit: 1 })).toMatchObject({ count: kept.length });
    };
    await expectKept();
    await expect(add('entry-0', 49_000, true)).rejects.toThrow('ENOSPC');
    await expectKept();
    await ask('instructions/remove', { ids: kept.splice(-3) });
    expect(await add('again', 100)).toMatchObject({ created: true, verified: true });
    kept.push('again');
    const { items } = await ask<Listed>('instructions/list');
    expect(items.map(({ id }) => id)).toEqual(kept.toSorted());
    expect(await program.end()).toBe(0);
    remove();
  });
});
