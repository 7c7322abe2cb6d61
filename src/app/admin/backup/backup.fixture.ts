import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { migrations } from '#migrations/all.ts';
import { openPlantedHome, type PlantedHome } from '../home.fixture.ts';
import { type BackupOptions, backup } from './backup.ts';
import { type RestoreOptions, restore } from './restore.ts';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function plantHome(home?: string): PlantedHome {
  const planted = openPlantedHome(home === undefined ? {} : { home });
  onTestFinished(async () => {
    await planted.storage.close();
    planted.remove();
  });
  return planted;
}

export const backingUp = (planted: PlantedHome, to: string, more: Partial<BackupOptions> = {}) =>
  backup({ ...planted, to, withKeys: true, ...more });

export const restoring = (from: string, home: string, more: Partial<RestoreOptions> = {}) =>
  restore({ from, home, keyFile: join(home, 'key'), migrations, clock: createManualClock(), ...more });

/** A planted home and a whole backup of it. */
export async function makeBackup(more: Partial<BackupOptions> = {}) {
  const planted = plantHome();
  await planted.put('a', 'first');
  await planted.plantFiles();
  const to = join(tempFolder(), 'backup');
  const result = await backingUp(planted, to, more);
  return { planted, to, result };
}

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
