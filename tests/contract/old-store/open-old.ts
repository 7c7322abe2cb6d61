import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { checkContent } from '#app/admin/doctor/check-content.ts';
import { toOperatorCall } from '#app/admin/operator-call.ts';
import { exportTenant } from '#app/admin/transfer/export-tenant.ts';
import { storeFile } from '#app/open-storage.ts';
import { findWrongTotals } from '#domains/truth/exchange/check-totals.ts';
import { rebuild } from '#domains/truth/exchange/rebuild.ts';
import { createFolderBlobs } from '#domains/truth/files/file-blobs.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { systemClock as clock } from '#kernel/clock/clock.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import type { OldRows } from '#tests/support/old-store/generate-rows.ts';
import {
  type OldAnswer,
  oldMigrations,
  oldStoreOptions,
  recordedStore,
  writeOldStore,
} from '#tests/support/old-store/write-old-store.ts';
import { type EngineName, openApp } from '../damage/open-app.ts';

export const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'test', clock });

export function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-old-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The uploaded files of the recorded store: their whole text is in their records. */
const recordedFiles = recordedStore()
  .rows.filter(({ table }) => table === 'truth_records')
  .flatMap(({ rows }) => rows.map(({ properties }) => (JSON.parse(String(properties)) as { text?: string }).text ?? []))
  .flat();

export async function writeRecordedFiles(home: string): Promise<void> {
  const blobs = createFolderBlobs(join(home, 'blobs'));
  for (const text of recordedFiles) await blobs.put(localTenant, Readable.from([Buffer.from(text)]));
}

type Answer = Readonly<Record<string, unknown>>;

/** The key file with which the recorded store was written. */
export const oldKeyText = `${createHash('sha256').update('the key of the old store').digest('base64url')}\n`;

/**
 * The whole program, on a new store or one that the version with schema 12 wrote, which is migrated with the first access;
 * and what `doctor --deep` and `truth rebuild --check` find. */
export async function openProgram(engine: EngineName, rows?: Iterable<OldRows>) {
  const app = await openApp(engine);
  if (rows === undefined) await app.storage();
  else {
    await app.closed(async () => {
      writeFileSync(app.settings.keyFile, oldKeyText, { mode: 0o600 });
      await writeOldStore(app.database ?? { file: storeFile(app.home) }, rows);
    });
  }
  // Exports of schema 12 have no bytes of files, so they are always there.
  await writeRecordedFiles(app.home);

  /** The line of `doctor --deep` about damaged items. */
  async function content(): Promise<string> {
    const blobsFolder = join(app.home, 'blobs');
    const [found] = await checkContent({ storage: await app.storage(), migrations, callFor, blobsFolder });
    return `${found?.status} ${found?.detail}`;
  }

  return {
    ...app,
    content,
    /** Returns the number of observations. */
    async expectSound(tenant: TenantId = localTenant): Promise<number> {
      expect(await content()).toMatch(/^ok .*are intact/);
      const storage = await app.storage();
      const { schemas } = await app.truth();
      const look = (check: boolean) =>
        rebuild({ storage, schemas }, { check, call: () => callFor(tenant), progress() {} });
      const sound = {
        ...{ differing: 0, differing_ids: [], misdirected_relationships: 0, differing_relationships: 0 },
        wrong_totals: [],
      };
      // Keys for similar names, which schema 12 did not have, are missing until the first rebuild.
      expect(await look(false)).toMatchObject(sound);
      const again = await look(true);
      expect(again).toMatchObject({ ...sound, missing: 0 });
      expect(await findWrongTotals(storage, callFor(tenant))).toEqual([]);
      return again.observations;
    },
    /** Only the members that were recorded: later versions answer with more. */
    async expectAnswers(answers: readonly OldAnswer[]): Promise<void> {
      for (const { name, args, answer } of answers) {
        const now: Answer = await app.ask(name, args);
        expect({ name, args, answer: now }).toMatchObject({ name, args, answer });
        for (const part of ['snapshot', 'provenance', 'raw_fragments']) {
          if (answer[part] !== undefined) expect(now[part]).toEqual(answer[part]);
        }
      }
    },
  };
}

/** An export that the version with schema 12 made of these rows. */
export async function makeOldExport(rows: Iterable<OldRows>, tables?: (name: string) => boolean): Promise<string> {
  const folder = makeTempFolder();
  const file = join(folder, 'store.db');
  await writeOldStore({ file }, rows);
  const storage = openSqlite({ ...oldStoreOptions, file });
  const to = join(folder, 'export.jsonl');
  try {
    await exportTenant({ storage, migrations: oldMigrations, clock, program: 'old', tenant: localTenant, to, tables });
  } finally {
    await storage.close();
  }
  return to;
}
