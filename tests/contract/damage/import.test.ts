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
import { migrations } from '#migrations/all.ts';
import { openApp } from './open-app.ts';

const hashColumns = new Set(['row_hash', 'body_hash', 'embedding_hash', 'state_hash']);
const withoutHashes = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !hashColumns.has(name)));

interface Header {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** The same export as the version before row hashes wrote it. */
function toOldExport(text: string): string {
  const [first, ...rest] = text.trimEnd().split('\n');
  const header = JSON.parse(first!) as Header;
  const tables = header.tables.map(({ name, columns }) => ({
    name,
    columns: columns.filter((column) => !hashColumns.has(column)),
  }));
  const rows = rest.slice(0, -1).map((line) => {
    const { t, r } = JSON.parse(line) as { t: string; r: object };
    return JSON.stringify({ t, r: withoutHashes(r) });
  });
  const body = `${[JSON.stringify({ ...header, schema: 9, tables }), ...rows].join('\n')}\n`;
  const trailer = { ...(JSON.parse(rest.at(-1)!) as object), sha256: createHash('sha256').update(body).digest('hex') };
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
    writeFileSync(from, toOldExport(readFileSync(file, 'utf8')));
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
