import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { makeFolder, probeProgram } from '#tests/support/program.ts';

const { runProgram } = probeProgram;

/** An operator proves that the trails of all tenants are whole, and finds out when somebody cuts one. */
describe.each(['sqlite', 'postgres'] as const)('the audit trails of all tenants on %s', (store) => {
  const { folder, remove } = makeFolder();
  const copy = join(folder, 'other-disk', 'checkpoints.jsonl');
  let database: TestDatabase | undefined;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    database = store === 'postgres' ? await createTestDatabase() : undefined;
    env = {
      FOURFOLD_HOME: join(folder, 'home'),
      FOURFOLD_AUDIT_COPY_FILE: copy,
      FOURFOLD_LOG_LEVEL: 'error',
      ...(database === undefined ? {} : { FOURFOLD_DATABASE_URL: database.url }),
    };
  });
  afterAll(async () => {
    await database?.drop();
    remove();
  });

  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runProgram([...args, '--json'], env);
    return { code, stderr, answer: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>) };
  };

  async function tamper(statement: string): Promise<void> {
    if (database !== undefined) {
      await asAdmin(database.adminUrl, (client: pg.Client) =>
        client.query(`set search_path to fourfold; ${statement}`),
      );
      return;
    }
    const db = new Database(join(folder, 'home', 'fourfold.db'));
    db.exec(statement);
    db.close();
  }

  it('covers every write of a command with a checkpoint, here and in the copy', async () => {
    for (const tenant of ['acme', 'globex', 'acme'])
      expect((await run('scratch', 'create', '--tenant', tenant)).code).toBe(0);
    const { code, answer } = await run('audit', 'verify', 'all');
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      ok: true,
      tenants: [
        { tenant: 'acme', ok: true, rowsWithoutCheckpoint: 0 },
        { tenant: 'globex', ok: true, rowsWithoutCheckpoint: 0 },
      ],
    });
    const copied = readFileSync(copy, 'utf8').trimEnd().split('\n');
    expect(copied.map((line) => (JSON.parse(line) as { tenant: string }).tenant)).toEqual(['acme', 'globex', 'acme']);
  });

  it('finds a trail that was cut together with the checkpoints in the data folder', async () => {
    rmSync(join(folder, 'home', 'audit-checkpoints.jsonl'));
    await tamper("delete from changes where tenant = 'globex'; delete from audit_heads where tenant = 'globex'");
    const { code, answer } = await run('audit', 'verify', 'all');
    expect(code).toBe(1);
    expect(answer).toMatchObject({
      ok: false,
      tenants: [
        { tenant: 'acme', ok: true },
        { tenant: 'globex', ok: false, issues: [{ seq: 0, problem: 'truncated' }] },
      ],
    });
  });

  it('reports the same trail in the doctor', async () => {
    const { code, stdout } = await runProgram(['doctor'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('the audit trail of globex is broken');
  });
});
