import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backup } from '#app/admin/backup/backup.ts';
import { acceptItems, repairItems } from '#app/admin/backup/repair-items.ts';
import { checkContent } from '#app/admin/doctor/check-content.ts';
import { toOperatorCall } from '#app/admin/operator-call.ts';
import { exportTenant } from '#app/admin/transfer/export-tenant.ts';
import { importTenant } from '#app/admin/transfer/import-tenant.ts';
import { storeFile } from '#app/open-storage.ts';
import { rebuild } from '#domains/truth/exchange/rebuild.ts';
import { createFolderBlobs, type FileBlobs } from '#domains/truth/files/file-blobs.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { systemClock as clock } from '#kernel/clock/clock.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { expectDamage } from './expect-damage.ts';
import { openApp } from './open-app.ts';

function makeTempFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'test', clock });

async function start(engine: 'SQLite' | 'PostgreSQL') {
  const app = await openApp(engine);
  const cells = ['c1', 'c2', 'c3'].map((cell_id) => ({ cell_id, language: 'md', content: `walrus ${cell_id}` }));
  await app.good('scratch_create', { scratch_id: 'pad', metadata: { title: 'sea' }, cells });
  const read = () => app.ask('scratch_read', { scratch_id: 'pad' });
  const deep = async () => {
    const blobsFolder = join(app.home, 'blobs');
    const checks = await checkContent({ storage: await app.storage(), migrations, callFor, blobsFolder });
    return checks.map(({ status, detail, fix = '' }) => `${status} ${detail} ${fix}`).join('\n');
  };
  const options = async () => ({ home: app.home, storage: await app.storage(), migrations, clock });
  return { ...app, read, deep, options };
}

async function makeBackup(home: string, storage: Storage, keyFile: string): Promise<string> {
  const to = join(makeTempFolder('ff-damage-backup-'), 'backup');
  await backup({
    home,
    to,
    withKeys: false,
    storage,
    keys: openKeys(keyFile),
    keyFile,
    migrations,
    clock,
    program: 'x',
  });
  return to;
}

async function makeExport(storage: Storage, fileBlobs?: FileBlobs): Promise<string> {
  const to = join(makeTempFolder('ff-damage-export-'), 'export.jsonl');
  await exportTenant({ storage, migrations, clock, program: 'x', tenant: localTenant, to, fileBlobs });
  return to;
}

describe.each(['SQLite', 'PostgreSQL'] as const)('doctor --deep on %s', (engine) => {
  test('reports an intact store, and lists each damaged item with the command that restores it', async () => {
    const { deep, damage } = await start(engine);
    expect(await deep()).toMatch(/^ok .*are intact/);
    await damage("update notebook_cells set content = 'x' where cell_id in ('c1', 'c3')");
    const found = await deep();
    expect(found).toMatch(/fail 2 damaged of \d+: notebook_cells [^;]* c1; notebook_cells [^;]* c3/);
    expect(found).toContain('fourfold doctor --deep --repair-from <backup>');
    expect(found).not.toContain('/ c2');
  });

  test('reports a damaged snapshot as a warning with the command that rebuilds it, which repairs it', async () => {
    const { good, deep, damage, storage, truth } = await start(engine);
    await good('submit_payload', {
      capability_id: 'neotoma:store_note:v1',
      body: { title: 'walrus', content: 'text' },
      provenance: { source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'test:v1' },
    });
    await damage("update truth_entities set state = '{}'");
    expect(await deep()).toMatch(/^warn 1 damaged snapshots.*fourfold truth rebuild/);
    const { schemas } = await truth();
    const call = () => callFor(localTenant);
    const report = await rebuild({ storage: await storage(), schemas }, { check: false, call, progress() {} });
    expect(report.differing).toBe(1);
    expect(await deep()).toMatch(/^ok/);
  });

  test('restores damaged items from an export, and keeps what the hash does not cover', async () => {
    const { good, read, deep, damage, options, storage } = await start(engine);
    const from = await makeExport(await storage());
    const cell = { cell_id: 'c3', language: 'md', content: 'changed later' };
    await good('scratch_replace_cell', { scratch_id: 'pad', cell_id: 'c3', cell, new_index: 0 });
    await good('scratch_append_cell', { scratch_id: 'pad', cell: { cell_id: 'c4', language: 'md', content: 'new' } });
    await damage("update notebook_cells set content = 'damaged' where cell_id <> 'c2'");
    expectDamage(await read(), 'cell');
    const result = await repairItems({ ...(await options()), from });
    expect(result.restored).toEqual([expect.stringContaining('c1')]);
    expect(result.older).toEqual([expect.stringContaining('c3')]);
    expect(result.missing).toEqual([expect.stringContaining('c4')]);
    expect(await deep()).toContain('1 damaged');
    expect(await acceptItems(await options())).toEqual([expect.stringContaining('c4')]);
    expect(await deep()).toMatch(/^ok/);
    const cells = ((await read()) as { scratchpad: { cells: { cell_id: string; content: string }[] } }).scratchpad
      .cells;
    expect(cells.map(({ cell_id, content }) => `${cell_id} ${content}`)).toEqual([
      ...['c3 walrus c3', 'c1 walrus c1', 'c2 walrus c2', 'c4 damaged'],
    ]);
  });

  test('[TR53] restores uploaded files from an export, and names files without their bytes', async () => {
    const { home, good, deep, options, storage } = await start(engine);
    const texts = ['a whole walrus', 'a second walrus'];
    for (const text of texts) {
      const content_base64 = Buffer.from(text).toString('base64');
      await good('upload_file', { content_base64, file_name: 'walrus.txt', properties: '{}' });
    }
    const blobs = createFolderBlobs(join(home, 'blobs'));
    const [damaged, lost] = texts.map(sha256Hex) as [string, string];
    const path = (sha256: string) => blobs.withPath(localTenant, sha256, async (at) => at);
    expect(await deep()).toMatch(/^ok .* and 2 files are intact/);
    const withoutBytes = await makeExport(await storage());
    const from = await makeExport(await storage(), blobs);
    writeFileSync(await path(damaged), 'a whole walnut');
    rmSync(await path(lost));
    expect(await deep()).toMatch(/fail 1 damaged files: .*\nwarn 1 files without their bytes: fourfold:.*--mode skip/);
    const older = await repairItems({ ...(await options()), from: withoutBytes });
    expect(older).toMatchObject({ restored: [], missing: [await path(damaged)] });
    const result = await repairItems({ ...(await options()), from });
    expect(result).toMatchObject({ restored: [await path(damaged)], missing: [] });
    expect(readFileSync(await path(damaged), 'utf8')).toBe('a whole walrus');
    const { storage: into } = await options();
    await importTenant({ storage: into, migrations, clock, from, mode: 'skip', fileBlobs: blobs });
    expect(readFileSync(await path(lost), 'utf8')).toBe('a second walrus');
    expect(await deep()).toMatch(/^ok/);
  });

  test('does not export a damaged item, which an import would accept', async () => {
    const { damage, storage } = await start(engine);
    await damage("update notebook_cells set content = 'x' where cell_id = 'c1'");
    await expect(makeExport(await storage())).rejects.toMatchObject({ code: 'INTEGRITY_ERROR' });
  });
});

describe('on SQLite', () => {
  test('restores items that were damaged in the file itself from a backup', async () => {
    const { home, settings, read, deep, closed, options, storage } = await start('SQLite');
    await read();
    const from = await makeBackup(home, await storage(), settings.keyFile);
    await closed(() => {
      const file = storeFile(home);
      const bytes = readFileSync(file);
      for (let i = bytes.indexOf('walrus c2'); i !== -1; i = bytes.indexOf('walrus c2', i + 1)) bytes[i] = 0x76;
      writeFileSync(file, bytes);
    });
    expectDamage(await read(), 'cell c2');
    expect(await deep()).toContain('c2');
    const result = await repairItems({ ...(await options()), from });
    expect(result).toMatchObject({ restored: [expect.stringContaining('c2')], older: [], missing: [] });
    expect(JSON.stringify(await read())).toContain('walrus c2');
  });

  test('checks uploaded files and restores them from a backup', async () => {
    const { home, settings, deep, options, storage, good } = await start('SQLite');
    const { createBlobs } = await import('#kernel/blob/blobs.ts');
    const blobs = createBlobs({ folder: join(home, 'blobs', 'local') });
    const { sha256 } = await blobs.put(Buffer.from('a whole walrus'));
    await good('scratch_list');
    const from = await makeBackup(home, await storage(), settings.keyFile);
    writeFileSync(blobs.pathOf(sha256)!, 'a whole walnut');
    expect(await deep()).toContain(sha256);
    expect((await repairItems({ ...(await options()), from })).restored).toEqual([blobs.pathOf(sha256)]);
    expect(readFileSync(blobs.pathOf(sha256)!, 'utf8')).toBe('a whole walrus');
  });

  test('negative control: a backup without the item restores nothing', async () => {
    const { home, settings, damage, good, options, storage } = await start('SQLite');
    const from = await makeBackup(home, await storage(), settings.keyFile);
    await good('scratch_append_cell', { scratch_id: 'pad', cell: { cell_id: 'c4', language: 'md', content: 'new' } });
    await damage("update notebook_cells set content = 'damaged' where cell_id = 'c4'");
    const result = await repairItems({ ...(await options()), from });
    expect(result).toMatchObject({ restored: [], older: [], missing: [expect.stringContaining('c4')] });
  });
});
