import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exportTenant } from '#app/admin/transfer/export-tenant.ts';
import { storeFile } from '#app/open-storage.ts';
import { isTruthTable } from '#app/truth-transfer.ts';
import { toTenantId } from '#kernel/call.ts';
import { systemClock as clock } from '#kernel/clock/clock.ts';
import { migrationLock } from '#kernel/storage/postgres/schema.ts';
import { sql } from '#kernel/storage/sql.ts';
import { migrations } from '#migrations/all.ts';
import type { EngineName } from '#tests/contract/damage/open-app.ts';
import { callFor, makeTempFolder, openProgram } from '#tests/contract/old-store/open-old.ts';
import { generateStore } from '#tests/support/old-store/write-old-store.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { cleanEnv, programFile } from '#tests/support/program.ts';
import { createDice } from '#tests/support/survival/dice.ts';

/** `npm run test:campaign` migrates a large store and kills many migrations; the ordinary run a small sample. */
const isCampaign = process.env['FOURFOLD_TEST_CAMPAIGN'] === '1';
const timeout = isCampaign ? 3_600_000 : 300_000;
const seed = 7;
const tenants = ['local', 'second'].map(toTenantId);
const newest = `schema  ${migrations.at(-1)!.id}`;

type OldApp = Awaited<ReturnType<typeof openProgram>>;

function start({ home, database }: OldApp) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [programFile, 'migrate'], {
    env: { ...cleanEnv(), FOURFOLD_HOME: home, ...(database && { FOURFOLD_DATABASE_URL: database.url }) },
  });
  let isRunning = true;
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const closed = once(child, 'close').then(([code, signal]) => {
    isRunning = false;
    return { code: code as number | null, signal: signal as string | null, stdout, stderr };
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    pid: child.pid!,
    kill: () => child.kill('SIGKILL'),
    isRunning: () => isRunning,
    stderr: () => stderr,
    closed,
  };
}

async function isMigrating({ home, database }: OldApp): Promise<boolean> {
  if (database === undefined) {
    const other = new Database(storeFile(home), { timeout: 0 });
    try {
      other.exec('begin immediate; rollback');
      return false;
    } catch {
      return true;
    } finally {
      other.close();
    }
  }
  const held = await asAdmin(database.adminUrl, (client) =>
    client.query(`select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`),
  );
  return held.rowCount === 1;
}

async function untilMigrating(app: OldApp, { isRunning }: ReturnType<typeof start>): Promise<void> {
  while (isRunning() && !(await isMigrating(app))) await pause(1);
}

/** Holds the lock of a migration. */
async function holdLock({ home, database }: OldApp): Promise<() => Promise<void>> {
  if (database === undefined) {
    const other = new Database(storeFile(home));
    other.exec('begin immediate');
    return async () => void other.close();
  }
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query(`select pg_advisory_lock(${migrationLock})`);
  return () => client.end();
}

/** All truth of both tenants, which an export checks too. Only the end of an activation depends on the time. */
async function dump(app: OldApp): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const tenant of tenants) {
    const to = join(makeTempFolder(), 'export.jsonl');
    const storage = await app.storage();
    await exportTenant({ storage, migrations, clock, program: 'x', tenant, to, tables: isTruthTable });
    lines.push(...readFileSync(to, 'utf8').split('\n').slice(1, -2));
  }
  return lines.map((line) =>
    line.startsWith('{"t":"truth_schema_activations"')
      ? line.replace(/"until_at":\d+/, '"until_at":1').replace(/"row_hash":"\w+"/, '')
      : line,
  );
}

const killedStore = () => generateStore(isCampaign ? 20_000 : 8_000, seed);

/** The rows after a migration that was not disturbed. */
async function migrateWhole(engine: EngineName) {
  const app = await openProgram(engine, killedStore());
  const program = start(app);
  await untilMigrating(app, program);
  const startedAt = performance.now();
  expect(await program.closed).toMatchObject({ code: 0 });
  const durationMs = performance.now() - startedAt;
  return { durationMs, rows: await dump(app) };
}

describe.each(['SQLite', 'PostgreSQL'] as const)('a store of schema 12 on %s', (engine) => {
  const rounds = isCampaign ? 10 : 1;
  const kills = isCampaign ? 6 : 3;
  test('is complete after a migration that was killed at random points', { timeout }, async () => {
    const { durationMs, rows } = await migrateWhole(engine);
    const dice = createDice(seed);
    let killed = 0;
    for (let round = 0; round < rounds; round += 1) {
      const app = await openProgram(engine, killedStore());
      for (let i = 0; i < kills; i += 1) {
        const program = start(app);
        await untilMigrating(app, program);
        // The first kill follows the begin directly, so that at least this one hits on every machine.
        await pause(i === 0 ? 0 : dice.roll() * durationMs);
        program.kill();
        if ((await program.closed).signal === 'SIGKILL') killed += 1;
      }
      expect(await start(app).closed).toMatchObject({ code: 0, stdout: expect.stringContaining(newest) });
      const found = await dump(app);
      expect(found.length).toBe(rows.length);
      expect(found.filter((line, i) => line !== rows[i])).toEqual([]);
    }
    expect(killed).toBeGreaterThanOrEqual(rounds);
  });

  test('is migrated by one of two processes, whatever its size', { timeout }, async () => {
    const size = isCampaign ? 1_000_000 : 10_000;
    const app = await openProgram(engine, generateStore(size, seed));
    const first = start(app);
    const startedAt = performance.now();
    await untilMigrating(app, first);
    const second = start(app);
    let peakKb = 0;
    while (first.isRunning()) {
      const status = `/proc/${first.pid}/status`;
      if (existsSync(status)) peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? peakKb);
      await pause(100);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const { closed } of [first, second]) {
      expect(await closed).toMatchObject({ code: 0, stdout: expect.stringContaining(newest) });
    }
    if (isCampaign) {
      process.stdout.write(`${engine}: ${size} observations in ${seconds.toFixed(1)} s, at most ${peakKb >> 10} MB\n`);
      expect(first.stderr()).toMatch(/Migrating the store: truth-times, step \d+ of \d+/);
      expect(first.stderr()).toContain('The store is migrated, after');
      expect(second.stderr()).toContain('Another process is migrating the store; waiting for it');
    }
    // The rows of a large store do not have to fit into memory.
    expect(peakKb).toBeLessThan(600 * 1024);
    const storage = await app.storage();
    for (const tenant of tenants) {
      const wrong = await storage.read(callFor(tenant), (db) =>
        db.get(sql<{ observations: number; payloads: number; wrong: number }>`
          select (select count(*) from truth_observations) as observations,
            (select count(*) from truth_payloads) as payloads,
            (select count(*) from truth_payloads p left join truth_submissions s
              on s.tenant = p.tenant and s.submission_id = p.submission_id and s.payload_id = p.payload_id
              where s.submission_id is null)
            + (select count(*) from truth_observations o left join truth_submissions s
              on s.tenant = o.tenant and s.submission_id = o.submission_id
              where o.source_kind = 'payload' and s.submission_id is null)
            + (select count(*) from truth_submissions) - (select count(*) from truth_payloads) as wrong`),
      );
      expect(wrong).toMatchObject({ wrong: 0 });
      expect(wrong!.observations).toBeGreaterThan(size * (tenant === 'local' ? 0.75 : 0.15));
    }
    expect(await app.content()).toMatch(/^ok .*are intact/);
  });

  test('makes a program wait, and say so, while another process migrates it', async () => {
    const app = await openProgram(engine, generateStore(100, seed));
    const release = await holdLock(app);
    const program = start(app);
    await vi.waitFor(() => expect(program.stderr()).toContain('Another process is migrating the store'), 120_000);
    await release();
    expect(await program.closed).toMatchObject({ code: 0, stdout: expect.stringContaining(newest) });
  });
});
