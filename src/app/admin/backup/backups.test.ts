import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '#config/load-settings.ts';
import { backupFolderOf, listBackups } from './backups.ts';

function openSettings(env: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'ff-backups-'));
  onTestFinished(() => {
    for (const folder of [home, `${home}-backups`]) rmSync(folder, { recursive: true, force: true });
  });
  return loadSettings({ argv: [], env: { FOURFOLD_HOME: home, ...env }, cwd: home, platform: process.platform })
    .settings;
}

test('backups are next to the data folder, or where the setting says', () => {
  const settings = openSettings();
  expect(backupFolderOf(settings)).toBe(`${settings.home}-backups`);
  expect(backupFolderOf(openSettings({ FOURFOLD_BACKUP_DIR: settings.home }))).toBe(settings.home);
});

test('lists no backups if the folder does not exist', async () => {
  const settings = openSettings();
  expect(await listBackups(settings)).toEqual({ folder: `${settings.home}-backups`, count: 0, backups: [] });
});

test('names what is wrong with a damaged backup, and skips unfinished ones and other files', async () => {
  const settings = openSettings();
  const folder = backupFolderOf(settings);
  for (const name of ['fourfold-backup-1', 'fourfold-backup-2', 'fourfold-backup-3.partial-ab', 'holiday']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'fourfold-backup-1', 'manifest.json'), '{}');
  const { count, backups } = await listBackups(settings);
  expect(count).toBe(2);
  expect(backups).toEqual([
    { folder: join(folder, 'fourfold-backup-2'), problem: expect.stringContaining('has no manifest.json') as string },
    { folder: join(folder, 'fourfold-backup-1'), problem: expect.stringContaining('damaged') as string },
  ]);
});

test('reports a folder that cannot be read', async () => {
  const settings = openSettings();
  writeFileSync(`${settings.home}-backups`, 'a file');
  expect((await listBackups(settings)).count).toBe(0);
});
