import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkContent } from '#app/admin/doctor/check-content.ts';
import { toOperatorCall } from '#app/admin/operator-call.ts';
import { exportTenant } from '#app/admin/transfer/export-tenant.ts';
import { importTenant } from '#app/admin/transfer/import-tenant.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { systemClock as clock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { describeTables, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { migrations } from '#migrations/all.ts';
import { openApp } from './open-app.ts';

const oldMigrations = migrations.filter(({ id }) => id <= 9);

interface Header {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** The tables of the version before row hashes, with their columns. */
async function describeOld(folder: string) {
  const file = join(folder, 'old.db');
  const store = openSqlite({ file, migrations: oldMigrations, clock, log: silentLog, auditKey: new Uint8Array(32) });
  const names = transferredTables(oldMigrations);
  const call = toOperatorCall({ tenant: localTenant, tool: 'test', clock });
  const tables = await store.read(call, (db) => describeTables(db, store.capabilities, names, []));
  await store.close();
  return new Map(tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
}

/** The same export as that version wrote it. */
function toOldExport(text: string, old: ReadonlyMap<string, ReadonlySet<string>>): string {
  const [first, ...rest] = text.trimEnd().split('\n');
  const header = JSON.parse(first!) as Header;
  const tables = header.tables
    .filter(({ name }) => old.has(name))
    .map(({ name, columns }) => ({ name, columns: columns.filter((column) => old.get(name)!.has(column)) }));
  const rows = rest.slice(0, -1).flatMap((line) => {
    const { t, r } = JSON.parse(line) as { t: string; r: object };
    const known = old.get(t);
    if (known === undefined) return [];
    return JSON.stringify({ t, r: Object.fromEntries(Object.entries(r).filter(([name]) => known.has(name))) });
  });
  const body = `${[JSON.stringify({ ...header, schema: 9, tables }), ...rows].join('\n')}\n`;
  const { counts } = JSON.parse(rest.at(-1)!) as { counts: Readonly<Record<string, number>> };
  const trailer = {
    end: true,
    counts: Object.fromEntries(Object.entries(counts).filter(([name]) => old.has(name))),
    sha256: createHash('sha256').update(body).digest('hex'),
  };
  return `${body}${JSON.stringify(trailer)}\n`;
}

describe.each(['SQLite', 'PostgreSQL'] as const)('an import on %s', (engine) => {
  test('gives rows of an older export their hashes', async () => {
    const source = await openApp('SQLite');
    const cells = [{ cell_id: 'c1', language: 'md', content: 'walrus one' }];
    await source.good('scratch_create', { scratch_id: 'pad', metadata: { title: 'sea', namespace: 'n' }, cells });
    await source.good('store_record', { type: 'note', properties: { text: 'walrus' } });
    await source.good('submit_payload', {
      capability_id: 'neotoma:store_note:v1',
      body: { title: 'walrus', content: 'text' },
      provenance: { source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'test:v1' },
    });
    await source.good('knowledge_ingest', {
      ...{ library: 'sea', version: '1.0.0', pages: [{ path: 'one.md', content: '# One\n\nText.\n' }] },
    });
    const folder = mkdtempSync(join(tmpdir(), 'ff-old-export-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [file, from] = [join(folder, 'new.jsonl'), join(folder, 'old.jsonl')];
    const storage = await source.storage();
    await exportTenant({ storage, migrations, clock, program: 'x', tenant: localTenant, to: file });
    writeFileSync(from, toOldExport(readFileSync(file, 'utf8'), await describeOld(folder)));
    expect(readFileSync(from, 'utf8')).not.toContain('_hash":"');
    const target = await openApp(engine);
    await importTenant({ storage: await target.storage(), migrations, clock, from, mode: 'fail' });
    expect(JSON.stringify(await target.good('scratch_read', { scratch_id: 'pad' }))).toContain('walrus one');
    expect(JSON.stringify(await target.good('retrieve_records', {}))).toContain('walrus');
    const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'test', clock });
    const options = { storage: await target.storage(), migrations, callFor, blobsFolder: join(folder, 'none') };
    expect(await checkContent(options)).toMatchObject([
      { status: 'ok', detail: expect.stringMatching(/^[1-9]\d+ items/) },
    ]);
  });
});
