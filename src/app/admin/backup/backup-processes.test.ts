import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';
import { openPlantedHome } from '../home.fixture.ts';
import { backingUp, codeOf, makeBackup, plantHome, restoring, tempFolder } from './backup.fixture.ts';
import { verifyBackup } from './verify-backup.ts';

const script = fileURLToPath(new URL('./process.fixture.ts', import.meta.url));

test('another process that writes all the time neither waits for a backup nor disturbs it', async () => {
  const planted = plantHome();
  const folder = tempFolder();
  const writer = spawn(process.execPath, [...nodeFlags, script, 'write', planted.home], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const counts: number[] = [];
  const lines = createInterface({ input: writer.stderr })[Symbol.asyncIterator]();
  const wrote = async (): Promise<number> => Number(String((await lines.next()).value).split(' ')[1]);
  try {
    for (let round = 0; round < 5; round += 1) {
      const before = await wrote();
      await backingUp(planted, join(folder, `b${round}`));
      await restoring(join(folder, `b${round}`), join(folder, `h${round}`));
      const restored = openPlantedHome({ home: join(folder, `h${round}`) });
      counts.push((await restored.texts()).length);
      expect(counts.at(-1)).toBeGreaterThanOrEqual(before);
      expect(await restored.audit.verify(restored.callFor())).toMatchObject({ ok: true, headSeq: counts.at(-1) });
      await restored.storage.close();
    }
  } finally {
    writer.kill('SIGKILL');
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
});

describe('killed in the middle', () => {
  /** Runs the process up to a step and kills it there; answers what it said last. */
  async function killAt(command: 'backup' | 'restore', home: string, folder: string, step: number): Promise<string> {
    const child = spawn(process.execPath, [...nodeFlags, script, command, home, folder, String(step)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      if (line.startsWith('at ')) child.kill('SIGKILL');
    }
    return said.at(-1) ?? '';
  }

  test('a backup never has its name before it is whole, and the next one succeeds', async () => {
    const planted = plantHome();
    await planted.put('a', 'first');
    await planted.plantFiles();
    const folder = tempFolder();
    const said: string[] = [];
    for (let step = 1; said.at(-1) !== 'done'; step += 1) {
      const to = join(folder, `b${step}`);
      said.push(await killAt('backup', planted.home, to, step));
      if (said.at(-1) !== 'done') {
        expect(existsSync(to)).toBe(false);
        const partial = readdirSync(folder).find((name) => name.startsWith(`b${step}.partial-`))!;
        const isWhole = said.at(-1) === 'at giving it its name';
        expect(await codeOf(verifyBackup(join(folder, partial), migrations))).toBe(isWhole ? 'done' : 'BACKUP_DAMAGED');
        await planted.put(`after ${step}`, 'the store is none the worse');
        await backingUp(planted, to);
      }
      await verifyBackup(to, migrations);
    }
    expect(said.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      ...Array(5).fill('at copying'),
      'at writing',
      'at giving',
      'done',
    ]);
  });

  test('a restore leaves the old or nothing in place, loses neither, and can be run again', async () => {
    const { to, planted } = await makeBackup();
    for (let step = 1, last = ''; last !== 'done'; step += 1) {
      const root = tempFolder();
      const home = join(root, 'home');
      const old = openPlantedHome({ home });
      await old.put('old', 'still wanted');
      await old.storage.close();
      last = await killAt('restore', home, to, step);
      const aside = readdirSync(root).find((name) => name.startsWith('home.before-restore-'));
      const oldHome = aside === undefined ? home : join(root, aside);
      expect(existsSync(join(oldHome, 'fourfold.db'))).toBe(true);
      if (last !== 'done') {
        if (aside !== undefined) expect(existsSync(join(home, 'fourfold.db'))).toBe(false);
        await restoring(to, home, { force: aside === undefined });
      }
      expect(readdirSync(home).filter((name) => name.startsWith('.restoring'))).toEqual([]);
      const restored = openPlantedHome({ home });
      expect(await restored.texts()).toEqual(await planted.texts());
      await restored.storage.close();
      const whereOld = readdirSync(root).find((name) => name.startsWith('home.before-restore-'))!;
      const moved = openPlantedHome({ home: join(root, whereOld) });
      expect(await moved.texts()).toEqual(['old: still wanted']);
      await moved.storage.close();
    }
  });

  test('the planted process does what it says when nobody kills it', async () => {
    const planted = plantHome();
    const to = join(tempFolder(), 'b');
    const { stderr } = await promisify(execFile)(process.execPath, [...nodeFlags, script, 'backup', planted.home, to]);
    expect(stderr).toBe('done\n');
    await verifyBackup(to, migrations);
  });
});
