import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createCall } from '#tests/contract/storage/call.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { contractMigrations, putItem } from '#tests/contract/storage/tables.ts';
import { type ExportOptions, exportTenant } from './export-tenant.ts';
import { type ImportMode, type ImportOptions, importTenant } from './import-tenant.ts';

export const clock = createManualClock();

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const openStore = async (
  engine: Engine = sqliteEngine(false),
): Promise<{ place: TestStore; storage: Storage }> => {
  const place = await engine.create();
  const storage = await place.open({ clock });
  onTestFinished(async () => {
    await storage.close();
    await place.remove();
  });
  return { place, storage };
};

/** Rows of every type, with text that is hard to sort and to escape. */
export async function fill(storage: Storage, tenant: TenantId, count = 12): Promise<void> {
  const texts = [
    '',
    'plain',
    'quote " and \\ slash',
    'line\nend\u2028\u2029',
    'é ß 漢',
    '\u{1F600}',
    '\uFF5E',
    '{"$b64":"no"}',
  ];
  for (let at = 0; at < count; at += 100) {
    await storage.write(createCall(tenant, { audit: 'none', deadlineAt: clock.now() + 60_000 }), function* (db) {
      for (let i = at; i < Math.min(count, at + 100); i += 1) {
        yield* putItem(db, {
          id: `${texts[i % texts.length]}-${i}`,
          document: i % 5 === 0 ? null : `text ${i} ${texts[i % texts.length]}`,
          n: i % 4 === 0 ? null : i * 1_000_003 - 7,
          score: i % 3 === 0 ? null : i / 7,
          bytes: i % 2 === 0 ? null : Buffer.from([0, 255, i % 256]),
        });
      }
    });
  }
}

export const exporting = (storage: Storage, to: string, more: Partial<ExportOptions> = {}) =>
  exportTenant({ storage, migrations: contractMigrations, clock, program: '1.2.3', tenant: localTenant, to, ...more });

export const importing = (
  storage: Storage,
  from: string,
  mode: ImportMode = 'fail',
  more: Partial<ImportOptions> = {},
) => importTenant({ storage, migrations: contractMigrations, clock, from, mode, ...more });

export const changesOf = (storage: Storage, tenant: TenantId) => storage.changesSince(tenant, undefined, 0, 10_000);
