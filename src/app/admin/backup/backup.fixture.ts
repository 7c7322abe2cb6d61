import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { migrations } from '#migrations/all.ts';
import { type HomeFixture, openHomeFixture } from '../home.fixture.ts';
import { type BackupOptions, backup } from './backup.ts';
import { type RestoreOptions, restore } from './restore.ts';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function homeFixture(home?: string): HomeFixture {
  const fixture = openHomeFixture(home === undefined ? {} : { home });
  onTestFinished(async () => {
    await fixture.storage.close();
    fixture.remove();
  });
  return fixture;
}

export const backingUp = (fixture: HomeFixture, to: string, more: Partial<BackupOptions> = {}) =>
  backup({ ...fixture, to, withKeys: true, ...more });

export const restoring = (from: string, home: string, more: Partial<RestoreOptions> = {}) =>
  restore({ from, home, keyFile: join(home, 'key'), migrations, clock: createManualClock(), ...more });

export async function makeBackup(more: Partial<BackupOptions> = {}) {
  const fixture = homeFixture();
  await fixture.put('a', 'first');
  await fixture.createFiles();
  const to = join(tempFolder(), 'backup');
  const result = await backingUp(fixture, to, more);
  return { fixture, to, result };
}

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
