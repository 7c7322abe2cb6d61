import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { nodeFlags } from '#tests/support/postgres/node-flags.ts';
import { openHomeFixture } from '../home.fixture.ts';
import { backingUp, codeOf, homeFixture, makeBackup, restoring, tempFolder } from './backup.fixture.ts';
import { verifyBackup } from './verify-backup.ts';

const script = fileURLToPath(new URL('./backup-process.fixture.ts', import.meta.url));

test('a backup does not block or disturb a process that keeps writing', async () => {
  const fixture = homeFixture();
  const folder = tempFolder();
  const writer = spawn(process.execPath, [...nodeFlags, script, 'write', fixture.home], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const counts: number[] = [];
  const lines = createInterface({ input: writer.stderr })[Symbol.asyncIterator]();
  const wrote = async (): Promise<number> => Number(String((await lines.next()).value).split(' ')[1]);
  try {
    for (let round = 0; round < 5; round += 1) {
      const before = await wrote();
      await backingUp(fixture, join(folder, `b${round}`));
      await restoring(join(folder, `b${round}`), join(folder, `h${round}`));
      const restored = openHomeFixture({ home: join(folder, `h${round}`) });
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

describe('killed halfway', () => {
  /** Runs the process up to a step and kills it there; returns its last line. */
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

  test('a backup gets its name only when it is complete, and the next backup succeeds', async () => {
    const fixture = homeFixture();
    await fixture.put('a', 'first');
    await fixture.createFiles();
    const folder = tempFolder();
    const said: string[] = [];
    for (let step = 1; said.at(-1) !== 'done'; step += 1) {
      const to = join(folder, `b${step}`);
      said.push(await killAt('backup', fixture.home, to, step));
      if (said.at(-1) !== 'done') {
        expect(existsSync(to)).toBe(false);
        const partial = readdirSync(folder).find((name) => name.startsWith(`b${step}.partial-`))!;
        const isWhole = said.at(-1) === 'at renaming the folder';
        expect(await codeOf(verifyBackup(join(folder, partial), migrations))).toBe(isWhole ? 'done' : 'BACKUP_DAMAGED');
        await fixture.put(`after ${step}`, 'the store still works');
        await backingUp(fixture, to);
      }
      await verifyBackup(to, migrations);
    }
    expect(said.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      ...Array(5).fill('at copying'),
      'at writing',
      'at renaming',
      'done',
    ]);
  });

  test('a restore leaves the old data or none in place, loses neither copy, and can be run again', async () => {
    const { to, fixture } = await makeBackup();
    for (let step = 1, last = ''; last !== 'done'; step += 1) {
      const root = tempFolder();
      const home = join(root, 'home');
      const old = openHomeFixture({ home });
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
      const restored = openHomeFixture({ home });
      expect(await restored.texts()).toEqual(await fixture.texts());
      await restored.storage.close();
      const whereOld = readdirSync(root).find((name) => name.startsWith('home.before-restore-'))!;
      const moved = openHomeFixture({ home: join(root, whereOld) });
      expect(await moved.texts()).toEqual(['old: still wanted']);
      await moved.storage.close();
    }
  });

  test('negative control: the process finishes when it is not killed', async () => {
    const fixture = homeFixture();
    const to = join(tempFolder(), 'b');
    const { stderr } = await promisify(execFile)(process.execPath, [...nodeFlags, script, 'backup', fixture.home, to]);
    expect(stderr).toBe('done\n');
    await verifyBackup(to, migrations);
  });
});
