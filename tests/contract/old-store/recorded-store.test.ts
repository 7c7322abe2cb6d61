import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backup } from '#app/admin/backup/backup.ts';
import { repairItems } from '#app/admin/backup/repair-items.ts';
import { restore } from '#app/admin/backup/restore.ts';
import { homeNames } from '#app/admin/home-layout.ts';
import { exportTenant } from '#app/admin/transfer/export-tenant.ts';
import { type ImportMode, importTenant } from '#app/admin/transfer/import-tenant.ts';
import { openStorage, storeFile } from '#app/open-storage.ts';
import { isTruthTable } from '#app/truth-transfer.ts';
import { rebuild } from '#domains/truth/exchange/rebuild.ts';
import { localTenant } from '#kernel/call.ts';
import { systemClock as clock } from '#kernel/clock/clock.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { MigrationEvent } from '#kernel/storage/migration.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import type { OldRows } from '#tests/support/old-store/generate-rows.ts';
import {
  type OldStorePlace,
  oldMigrations,
  oldStoreOptions,
  recordedStore,
  writeOldStore,
} from '#tests/support/old-store/write-old-store.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { callFor, makeOldExport, makeTempFolder, oldKeyText, openProgram, writeRecordedFiles } from './open-old.ts';

const { rows, moments, ids, answers } = recordedStore();
const firstPayload = String(rows.find(({ table }) => table === 'truth_payloads')!.rows[0]!['payload_id']);

/** What a ruling changed: types without a schema are open, and a schema does not change what was known before it. */
const hasNewAnswer = (args: Readonly<Record<string, unknown>>): boolean =>
  args['entity_id'] === ids['vehicle'] &&
  [moments['before_schema'], moments['after_schema']].includes(String(args['as_known_at']));
const isOfOpenType = ({ answer }: (typeof answers)[number]): boolean => answer['entity_type'] === 'pet';
const same = answers.filter((one) => !hasNewAnswer(one.args) && !isOfOpenType(one));

const edge = rows.find(({ table }) => table === 'truth_relationships')!.rows[0]!;

/** Changes three rows after their hash was computed. */
function damage({ table, rows: [row] }: OldRows): OldRows {
  if (row === edge) return { table, rows: [{ ...edge, metadata: '{"page":99}' }] };
  if (table === 'truth_observations' && row!['entity_id'] === ids['harbour'] && row!['source_id'] === firstPayload) {
    return { table, rows: [{ ...row!, fields: '{"name":"Harbor"}' }] };
  }
  const isChanged = table === 'truth_payloads' && row!['payload_id'] === firstPayload;
  return { table, rows: [isChanged ? { ...row!, agent_id: 'someone' } : row!] };
}

/** After the migration, in rows of old and of new tables. */
const damageAll = `
  update truth_observations set fields = '{"name":"Harbor"}' where entity_id = '${ids['harbour']}' and source_id = '${firstPayload}';
  update truth_payloads set body = '{}' where payload_id = '${firstPayload}';
  update truth_submissions set extractor_version = 'x' where payload_id = '${firstPayload}';
  update truth_corrections set reason = 'x';
  update truth_schema_activations set version = '9.9' where entity_type = 'pet'`;

/** Without the header, which has the time of the export. */
const rowsOf = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n').slice(1, -2);

const toolAnswer = (app: Awaited<ReturnType<typeof openProgram>>, entity: string, more: object = {}) =>
  app.good('get_entity_snapshot', { entity_id: ids[entity], ...more });

describe.each(['SQLite', 'PostgreSQL'] as const)('a store of schema 12 on %s', (engine) => {
  test('is migrated at the first access, and its tools answer the same', async () => {
    const app = await openProgram(engine, rows);
    expect(same.length).toBeGreaterThan(120);
    await app.expectAnswers(same);
    expect(await app.expectSound()).toBe(43);
    expect(await app.good('audit/verify')).toMatchObject({ ok: true });
  });

  test('knows its schemas as they were: each activation begins at its `activated_at`', async () => {
    const app = await openProgram(engine, rows);
    const known = async (moment: string) => {
      const { schema_version, snapshot } = await toolAnswer(app, 'vehicle', { as_known_at: moments[moment] });
      return { schema_version, fields: Object.keys(snapshot as object) };
    };
    expect(await known('before_schema')).toEqual({ schema_version: '1.0', fields: [] });
    expect(await known('after_schema')).toEqual({
      schema_version: '1.1',
      fields: ['inspected_date', 'mileage', 'plate'],
    });
    expect(await known('end')).toMatchObject({ schema_version: '1.2', fields: expect.arrayContaining(['colour']) });
    const pet = answers.find(isOfOpenType)!;
    const entity_id = pet.args['entity_id'];
    expect(pet.answer).toMatchObject({ snapshot: {}, raw_fragments: { name: 'Rex', age: 3 } });
    const before = await app.good('get_entity_snapshot', { entity_id, as_known_at: moments['end'] });
    expect(before).toMatchObject({ schema_version: '1.0', snapshot: {}, raw_fragments: { name: 'Rex', age: 3 } });
    const now = await app.good('get_entity_snapshot', { entity_id });
    expect(now).toMatchObject({ snapshot: { name: 'Rex', age: 3, likes: ['bones'] } });
  });

  test('has one submission per payload: sending it again adds nothing, and an update of it is kept', async () => {
    const app = await openProgram(engine, rows);
    const payload = rows.find(({ table }) => table === 'truth_payloads')!.rows[0]!;
    const body = JSON.parse(String(payload['body'])) as Readonly<Record<string, unknown>>;
    const provenance = {
      source_refs: [],
      extracted_at: new Date(Number(payload['extracted_at'])).toISOString(),
      extractor_version: payload['extractor_version'],
    };
    const input = { capability_id: payload['capability_id'], body, provenance };
    expect(await app.good('submit_payload', input)).toMatchObject({
      ...{ payload_id: payload['payload_id'], submission_id: payload['submission_id'] },
      ...{ created: false, observations_added: 0 },
    });
    const paid = {
      ...input,
      body: { ...body, status: 'paid' },
      provenance: { ...provenance, extracted_at: '2025-09-01' },
    };
    expect(await app.good('submit_payload', paid)).toMatchObject({ created: false, observations_added: 3 });
    expect(await toolAnswer(app, 'invoice')).toMatchObject({ snapshot: { status: 'paid' } });
    await app.expectSound();
  });

  test('still shows the damage that it had before', async () => {
    const app = await openProgram(engine, rows.map(damage));
    const found = await app.content();
    expect(found).toMatch(/^fail 4 damaged/);
    expect(found).toContain(`truth_observations ${ids['harbour']}`);
    expect(found).toContain(`truth_relationships ${String(edge['relationship_id'])}`);
    for (const table of ['truth_payloads', 'truth_submissions']) expect(found).toContain(table);
    expect(await app.ask('get_entity_snapshot', { entity_id: ids['harbour'] })).toMatchObject({
      code: 'INTEGRITY_ERROR',
    });
  });
});

describe.each(['SQLite', 'PostgreSQL'] as const)('an export of schema 12 on %s', (engine) => {
  async function importInto(app: Awaited<ReturnType<typeof openProgram>>, from: string, mode: ImportMode = 'fail') {
    const result = await importTenant({ storage: await app.storage(), migrations, clock, from, mode });
    const { schemas } = await app.truth();
    const options = { check: false, call: () => callFor(localTenant), progress() {} };
    await rebuild({ storage: await app.storage(), schemas }, options);
    return result;
  }

  test('is imported as the migration of its store would be, and its tools answer the same', async () => {
    const app = await openProgram(engine);
    await importInto(app, await makeOldExport(rows));
    await app.expectAnswers(same);
    expect(await app.expectSound()).toBe(43);
    expect(await toolAnswer(app, 'vehicle', { as_known_at: moments['after_schema'] })).toMatchObject({
      schema_version: '1.1',
    });
    const [payload] = rows.find(({ table }) => table === 'truth_payloads')!.rows;
    expect(await app.good('get_payload', { payload_id: payload!['payload_id'] })).toMatchObject({
      submissions: [{ submission_id: payload!['submission_id'] }],
    });
  });

  test('of truth alone is imported with `truth import`, again without an effect', async () => {
    const app = await openProgram(engine);
    const path = await makeOldExport(rows, isTruthTable);
    expect(await app.good('truth_import', { paths: [path] })).toMatchObject({
      files: [{ written: expect.any(Number) }],
    });
    await app.expectAnswers(same.filter(({ name }) => name !== 'retrieve_records'));
    await app.expectSound();
    expect(await app.good('truth_import', { paths: [path] })).toMatchObject({ files: [{ written: 0 }] });
  });

  test('fits into a migrated store and a new export of it into any engine', async () => {
    const old = await openProgram(engine, rows);
    await importInto(old, await makeOldExport(rows), 'skip');
    await importInto(old, await makeOldExport(rows), 'replace');
    await old.expectAnswers(same);
    await old.expectSound();
    const to = join(makeTempFolder(), 'export.jsonl');
    const storage = await old.storage();
    await exportTenant({ storage, migrations, clock, program: 'x', tenant: localTenant, to });
    const other = await openProgram(engine === 'SQLite' ? 'PostgreSQL' : 'SQLite');
    await importInto(other, to);
    await other.expectAnswers(same);
    await other.expectSound();
    const back = join(makeTempFolder(), 'export.jsonl');
    await exportTenant({
      storage: await other.storage(),
      migrations,
      clock,
      program: 'x',
      tenant: localTenant,
      to: back,
    });
    expect(rowsOf(back)).toEqual(rowsOf(to));
  });

  test('restores damaged items of the migrated store, with the columns of today', async () => {
    const app = await openProgram(engine, rows);
    await app.expectSound();
    await app.damage(damageAll);
    expect(await app.content()).toMatch(/^fail 5 damaged/);
    const options = { home: app.home, storage: await app.storage(), migrations, clock };
    const result = await repairItems({ ...options, from: await makeOldExport(rows) });
    expect(result.restored).toHaveLength(4);
    expect(result).toMatchObject({ older: [], missing: [expect.stringContaining('truth_schema_activations')] });
    await app.expectAnswers(same);
  });
});

describe('a backup of schema 12', () => {
  /** Made by the version with schema 12, with its keys. */
  async function makeOldBackup(of: readonly OldRows[] = rows): Promise<string> {
    const folder = makeTempFolder();
    const file = join(folder, 'home', homeNames.store);
    mkdirSync(join(folder, 'home'));
    await writeOldStore({ file }, of);
    const keyFile = join(folder, 'home', 'key');
    writeFileSync(keyFile, oldKeyText, { mode: 0o600 });
    await writeRecordedFiles(join(folder, 'home'));
    const storage = openSqlite({ ...oldStoreOptions, file });
    const to = join(folder, 'backup');
    const common = { home: join(folder, 'home'), to, withKeys: true, storage, keys: openKeys(keyFile), keyFile };
    await backup({ ...common, migrations: oldMigrations, clock, program: 'old' });
    await storage.close();
    return to;
  }

  test('is restored, and migrated at the next start', async () => {
    const from = await makeOldBackup();
    const app = await openProgram('SQLite');
    const { home, settings } = app;
    await app.closed(() =>
      restore({ from, home, keyFile: settings.keyFile, force: true, newKeys: false, migrations, clock }),
    );
    await app.expectAnswers(same);
    await app.expectSound();
    expect(await app.good('audit/verify')).toMatchObject({ ok: true });
  });

  test('restores damaged items of the migrated store, with the columns of today', async () => {
    const app = await openProgram('SQLite', rows);
    await app.expectSound();
    await app.damage(damageAll);
    const options = { home: app.home, storage: await app.storage(), migrations, clock };
    const result = await repairItems({ ...options, from: await makeOldBackup() });
    expect(result.restored).toHaveLength(4);
    expect(result).toMatchObject({ older: [], missing: [expect.stringContaining('truth_schema_activations')] });
    await app.expectAnswers(same);
  });

  test('does not restore an item that is damaged in the backup too', async () => {
    const app = await openProgram('SQLite', rows);
    await app.expectSound();
    await app.damage(damageAll);
    const options = { home: app.home, storage: await app.storage(), migrations, clock };
    const result = await repairItems({ ...options, from: await makeOldBackup(rows.map(damage)) });
    expect(new Set(result.restored.map((name) => name.split(' ')[0]))).toEqual(
      new Set(['truth_corrections', 'truth_payloads']),
    );
    expect(result.older).toEqual([]);
    expect(result.missing).toHaveLength(3);
  });
});

describe.each(['SQLite', 'PostgreSQL'] as const)('a migration on %s', (engine) => {
  async function eventsOf(write: ((at: OldStorePlace) => Promise<void>) | undefined) {
    const home = makeTempFolder();
    const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
    onTestFinished(async () => database?.drop());
    await write?.(database ?? { file: storeFile(home) });
    const events: MigrationEvent[] = [];
    const options = { clock, log: silentLog, migrating: (event: MigrationEvent) => void events.push(event) };
    const keys = openKeys(join(home, 'key'));
    const storage = openStorage({ home, databaseUrl: database?.url }, options, () => keys);
    await storage.opened();
    await storage.close();
    return events;
  }

  test('reports its steps if the store has rows, and nothing for a new or an empty store', async () => {
    expect(await eventsOf(undefined)).toEqual([]);
    expect(await eventsOf((at) => writeOldStore(at, []))).toEqual([]);
    const events = await eventsOf((at) => writeOldStore(at, rows));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'step', migration: 'truth-times', step: 1 }));
    expect(events.at(-1)).toEqual({ kind: 'done' });
  });
});
