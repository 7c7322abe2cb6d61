import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '#app/compose.ts';
import { loadSettings } from '#config/load-settings.ts';
import { localTenant } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { hashedTablesOf, hashRow } from '#kernel/storage/row-hash.ts';
import { readPage } from '#kernel/storage/transfer.ts';
import { describeTables, type Table } from '#kernel/storage/transfer-tables.ts';
import { migrations } from '#migrations/all.ts';
import type { Row } from './table.ts';
import { below, spreadOf } from './timing.ts';

const padsCount = 400;
const cellsCount = 20;
const observationsCount = 1_000;

const caller = { tenant: localTenant, actor: 'bench', scopes: new Set(['admin'] as const) };

/** The program in this process, so that a call costs nothing but itself. A new one has empty caches. */
function open(home: string) {
  const env = { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'silent' };
  const { settings } = loadSettings({ argv: [], env, cwd: home, platform: process.platform });
  const app = compose(settings, 'stdio');
  async function ask(name: string, args: object): Promise<unknown> {
    const outcome = await app.invoke({ name, args, caller });
    if (!outcome.ok) throw outcome.fault;
    return JSON.parse(outcome.text);
  }
  return { app, ask };
}

type Opened = ReturnType<typeof open>;

async function fill({ ask }: Opened): Promise<void> {
  for (let n = 0; n < padsCount; n += 1) {
    const cells = Array.from({ length: cellsCount }, (_, i) => ({
      language: 'md',
      content: `Some text of cell ${i} in pad ${n}. `.repeat(8),
    }));
    await ask('scratch_create', { scratch_id: `pad-${n}`, metadata: { title: `Pad ${n}` }, cells });
  }
  for (let n = 0; n < observationsCount; n += 1) {
    await ask('submit_payload', {
      capability_id: 'neotoma:store_invoice:v1',
      body: { invoice_number: `INV-${n}`, amount: n, date: '2025-01-15', vendor_name: 'Busy Vendor' },
      provenance: { source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'bench:v1' },
    });
  }
}

async function median(count: number, work: (n: number) => unknown): Promise<number> {
  const found: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now();
    await work(n);
    found.push(performance.now() - startedAt);
  }
  return spreadOf(found).p50;
}

/** Milliseconds to compare one row of this table with its hashes. */
async function measureCheck(app: Opened['app'], name: string): Promise<number> {
  const storage = await app.storage.opened();
  const hashed = hashedTablesOf(migrations);
  const { table, rows } = await storage.read(systemCall('bench'), function* (db) {
    const [found] = yield* describeTables(db, storage.capabilities, [name], hashed);
    return { table: found as Table, rows: yield* readPage(db, found as Table, undefined) };
  });
  const perPage = await median(200, () => {
    for (const row of rows) for (const one of table.hashes) hashRow(one, row);
  });
  return perPage / rows.length;
}

/** The share of checking hashes in calls that no cache answers. */
export async function benchRowHashes(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'ff-bench-hashes-'));
  const first = open(home);
  await fill(first);
  await first.app.close();
  const second = open(home);
  const { app, ask } = second;
  try {
    const found = (await ask('retrieve_entities', { entity_type: 'invoice', limit: 200 })) as {
      entities: readonly { readonly entity_id: string }[];
    };
    const [vendor] = ((await ask('retrieve_entities', { entity_type: 'company', limit: 1 })) as typeof found).entities;
    const read = await median(padsCount, (n) => ask('scratch_read', { scratch_id: `pad-${n}` }));
    const snapshot = await median(found.entities.length, (n) =>
      ask('get_entity_snapshot', { entity_id: found.entities[n]!.entity_id }),
    );
    const past = await median(30, () =>
      ask('get_entity_snapshot', { entity_id: vendor!.entity_id, at: '2025-06-01T00:00:00Z' }),
    );
    const cell = await measureCheck(app, 'notebook_cells');
    const pad = await measureCheck(app, 'notebook_pads');
    const entity = await measureCheck(app, 'truth_entities');
    const observation = await measureCheck(app, 'truth_observations');
    const share = (checks: number, whole: number): number => (100 * checks) / (whole - checks);
    return [
      below('hash checks in an uncached scratch_read of 20 cells', share(pad + cellsCount * cell, read), '%', 10),
      below('hash checks in an uncached get_entity_snapshot', share(entity, snapshot), '%', 10),
      {
        what: 'hash checks in a past state of 1,000 observations',
        value: share(entity + observationsCount * observation, past),
        unit: '%',
      },
      { what: 'checking one cell', value: cell * 1_000, unit: 'us' },
    ];
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  }
}
