import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { auditKey, type Engine, type TestStore } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import type { TenantId } from '../call.ts';
import { limits } from '../limits.ts';
import type { Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { type Audit, type AuditIssue, type AuditReport, createAudit } from './audit.ts';
import { type AuditRow, genesisMac, rowMac } from './chain.ts';
import { createCheckpoints } from './checkpoints.ts';

const rowCount = 9;

describe.each<Engine>([sqliteEngine(false), postgresEngine(false)])('audit/verify on $name', (engine) => {
  let testStore: TestStore;
  let storage: Storage;
  let folder: string;

  beforeAll(async () => {
    testStore = await engine.create();
    storage = await testStore.open();
    folder = mkdtempSync(join(tmpdir(), 'ff-audit-'));
  });
  afterAll(async () => {
    await storage?.close();
    await testStore?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const change = (tenant: TenantId, id: string) =>
    storage.write(createCall(tenant, { actor: `actor of ${id}`, tool: `tool/${id}` }), function* (db) {
      yield* db.changed('pad', id, 'update', `hash of ${id}`);
    });

  /** A tenant with its own chain, and the file of its checkpoints. */
  async function plant(count = rowCount) {
    const tenant = newTenant();
    const file = join(folder, `${tenant}.jsonl`);
    const copyFile = join(folder, 'elsewhere', `${tenant}.jsonl`);
    const checkpoints = createCheckpoints(file, auditKey, { file: copyFile });
    const audit = createAudit({ storage, key: auditKey, checkpoints, now: () => 0 });
    for (let i = 1; i <= count; i += 1) await change(tenant, `p${i}`);
    const verify = () => audit.verify(createCall(tenant));
    const checkpoint = () => audit.checkpoint(createCall(tenant));
    return { tenant, file, copyFile, checkpoints, audit, verify, checkpoint };
  }

  const tamper = (tenant: TenantId, statement: string) =>
    testStore.tamper(statement.replaceAll('$tenant', `'${tenant}'`));
  const issuesOf = async (verify: () => Promise<AuditReport>): Promise<readonly AuditIssue[]> => {
    const { ok, issues } = await verify();
    expect(ok).toBe(issues.length === 0);
    return issues;
  };

  const rowsOf = (tenant: TenantId) =>
    storage.read(createCall(tenant), (db) =>
      db.all(sql<AuditRow>`
        select tenant, seq, topic, id, what, hash, actor, tool, at, mac from changes where tenant = ${tenant} order by seq`),
    );

  test('accepts an untouched chain: empty, short, over several pages, with and without a checkpoint', async () => {
    for (const count of [0, 1, rowCount]) {
      const { verify, checkpoint } = await plant(count);
      const whole = { ok: true, checked: count, headSeq: count, issues: [] };
      expect(await verify()).toMatchObject({ ...whole, checkpointSeq: 0, rowsWithoutCheckpoint: count });
      await checkpoint();
      expect(await verify()).toEqual({ ...whole, checkpointSeq: count, rowsWithoutCheckpoint: 0 });
    }
    const { tenant, verify, checkpoint } = await plant(0);
    await Promise.all(Array.from({ length: 1_050 }, (_, i) => change(tenant, `p${i}`)));
    await checkpoint();
    await change(tenant, 'after the checkpoint');
    expect(await verify()).toEqual({
      ok: true,
      checked: 1_051,
      headSeq: 1_051,
      checkpointSeq: 1_050,
      rowsWithoutCheckpoint: 1,
      withoutCheckpointSince: expect.any(Number),
      issues: [],
    });
  });

  test.each([
    ['topic', "'pads'"],
    ['id', "'p99'"],
    ['what', "'delete'"],
    ['hash', "'hash of something else'"],
    ['actor', "'somebody else'"],
    ['tool', "'tool/other'"],
    ['at', 'at + 1'],
    ['mac', "case when substr(mac, 1, 2) = '00' then '11' else '00' end || substr(mac, 3)"],
  ])('finds an edit of %s in the first, a middle and the last row', async (column, value) => {
    for (const seq of [1, 5, rowCount]) {
      const { tenant, verify } = await plant();
      await tamper(tenant, `update changes set ${column} = ${value} where tenant = $tenant and seq = ${seq}`);
      expect(await issuesOf(verify)).toEqual([{ seq, problem: 'edited' }]);
    }
  });

  test('finds an edit of seq or tenant, which moves the row out of its position', async () => {
    for (const set of ['seq = seq + 1000', `tenant = '${newTenant()}'`]) {
      const { tenant, verify } = await plant();
      await tamper(tenant, `update changes set ${set} where tenant = $tenant and seq = 4`);
      expect(await issuesOf(verify)).toEqual([{ seq: 4, problem: 'missing' }]);
    }
  });

  test('rejects a row that was moved to another tenant', async () => {
    const [from, to] = [await plant(), await plant(3)];
    await tamper(from.tenant, `update changes set tenant = '${to.tenant}' where tenant = $tenant and seq = 4`);
    await tamper(
      to.tenant,
      `update audit_heads set seq = 4, mac = (select mac from changes where tenant = $tenant and seq = 4) where tenant = $tenant`,
    );
    expect(await issuesOf(to.verify)).toEqual([{ seq: 4, problem: 'edited' }]);
  });

  test('finds two swapped rows, whether their numbers or their contents were swapped', async () => {
    const swapped = await plant();
    for (const [from, to] of [
      [3, -1],
      [4, 3],
      [-1, 4],
    ]) {
      await tamper(swapped.tenant, `update changes set seq = ${to} where tenant = $tenant and seq = ${from}`);
    }
    expect(await issuesOf(swapped.verify)).toEqual([{ seq: 3, problem: 'edited' }]);
    const copied = await plant();
    const columns = ['topic', 'id', 'what', 'hash', 'actor', 'tool', 'at', 'mac'].join(', ');
    await tamper(
      copied.tenant,
      `update changes set (${columns}) = (select ${columns} from changes where tenant = $tenant and seq = 7) where tenant = $tenant and seq = 6`,
    );
    expect(await issuesOf(copied.verify)).toEqual([{ seq: 6, problem: 'edited' }]);
  });

  test('finds a deleted row at any position, including the last', async () => {
    for (const seq of [1, 5, rowCount]) {
      const { tenant, verify } = await plant();
      await tamper(tenant, `delete from changes where tenant = $tenant and seq = ${seq}`);
      expect(await issuesOf(verify)).toEqual([{ seq, problem: 'missing' }]);
    }
  });

  test('finds a deleted row whose gap was closed', async () => {
    const { tenant, verify } = await plant();
    await tamper(tenant, 'delete from changes where tenant = $tenant and seq = 5');
    for (let seq = 6; seq <= rowCount; seq += 1)
      await tamper(tenant, `update changes set seq = ${seq - 1} where tenant = $tenant and seq = ${seq}`);
    await tamper(tenant, `update audit_heads set seq = ${rowCount - 1} where tenant = $tenant`);
    expect(await issuesOf(verify)).toEqual([{ seq: 5, problem: 'edited' }]);
  });

  test('finds an inserted row', async () => {
    const { tenant, verify } = await plant();
    await tamper(
      tenant,
      `insert into changes (tenant, seq, topic, id, what, hash, actor, tool, at, mac)
      select tenant, ${rowCount + 1}, topic, id, what, hash, actor, tool, at, mac from changes where tenant = $tenant and seq = ${rowCount}`,
    );
    await tamper(tenant, `update audit_heads set seq = ${rowCount + 1} where tenant = $tenant`);
    expect(await issuesOf(verify)).toEqual([{ seq: rowCount + 1, problem: 'edited' }]);
  });

  test('finds a chain rewritten under another key at its first row', async () => {
    const { tenant, verify } = await plant();
    let mac = genesisMac;
    for (const row of await rowsOf(tenant)) {
      mac = rowMac(Buffer.from('not the key'), mac, { ...row, actor: 'eve' });
      await tamper(
        tenant,
        `update changes set actor = 'eve', mac = '${mac}' where tenant = $tenant and seq = ${row.seq}`,
      );
    }
    await tamper(tenant, `update audit_heads set mac = '${mac}' where tenant = $tenant`);
    expect(await issuesOf(verify)).toEqual([{ seq: 1, problem: 'edited' }]);
  });

  test('finds a head that does not match the last row', async () => {
    const edited = await plant();
    await tamper(edited.tenant, "update audit_heads set mac = '00' where tenant = $tenant");
    expect(await issuesOf(edited.verify)).toEqual([{ seq: rowCount, problem: 'head-mismatch' }]);
    const raised = await plant();
    await tamper(raised.tenant, 'update audit_heads set seq = seq + 1 where tenant = $tenant');
    expect(await issuesOf(raised.verify)).toEqual([{ seq: rowCount + 1, problem: 'missing' }]);
  });

  test('finds a head that was set back or deleted, by the rows after it', async () => {
    for (const statement of [
      'update audit_heads set seq = 5, mac = (select mac from changes where tenant = $tenant and seq = 5) where tenant = $tenant',
      'delete from audit_heads where tenant = $tenant',
    ]) {
      const { tenant, verify } = await plant();
      await tamper(tenant, statement);
      expect(await issuesOf(verify)).toMatchObject([{ problem: 'head-mismatch' }]);
    }
  });

  test('does not take a checkpoint written during the verification for a truncation', async () => {
    const { tenant, checkpoints, checkpoint } = await plant();
    let isFirst = true;
    const restless: Storage = {
      ...storage,
      async read(call, work) {
        const value = await storage.read(call, work);
        if (!isFirst) return value;
        isFirst = false;
        await change(tenant, 'meanwhile');
        await checkpoint();
        return value;
      },
    };
    const audit = createAudit({ storage: restless, key: auditKey, checkpoints, now: () => 0 });
    expect(await issuesOf(() => audit.verify(createCall(tenant)))).toEqual([]);
  });

  const truncate = (tenant: TenantId, to: number) =>
    tamper(
      tenant,
      to === 0
        ? 'delete from changes where tenant = $tenant; delete from audit_heads where tenant = $tenant'
        : `delete from changes where tenant = $tenant and seq > ${to};
           update audit_heads set seq = ${to}, mac = (select mac from changes where tenant = $tenant and seq = ${to}) where tenant = $tenant`,
    );

  test('finds a chain truncated together with its head, by the checkpoint only', async () => {
    for (const to of [0, 1, rowCount - 1]) {
      const unseen = await plant();
      await truncate(unseen.tenant, to);
      expect(await issuesOf(unseen.verify)).toEqual([]);
      const seen = await plant();
      await seen.checkpoint();
      await truncate(seen.tenant, to);
      expect(await issuesOf(seen.verify)).toEqual([{ seq: to, problem: 'truncated' }]);
    }
  });

  test('finds a chain that was truncated and then grew past the checkpoint', async () => {
    const { tenant, verify, checkpoint } = await plant();
    await checkpoint();
    await truncate(tenant, 4);
    for (let i = 0; i < rowCount; i += 1) await change(tenant, `again ${i}`);
    expect(await issuesOf(verify)).toEqual([{ seq: rowCount, problem: 'checkpoint-mismatch' }]);
  });

  test('finds a chain truncated together with the checkpoints in the data folder, by their copy', async () => {
    const { tenant, file, copyFile, verify, checkpoint } = await plant();
    await checkpoint();
    await truncate(tenant, 4);
    rmSync(file);
    expect(await issuesOf(verify)).toEqual([{ seq: 4, problem: 'truncated' }]);
    for (let i = 0; i < rowCount; i += 1) await change(tenant, `again ${i}`);
    await checkpoint();
    expect(await issuesOf(verify)).toEqual([{ seq: rowCount, problem: 'checkpoint-mismatch' }]);
    rmSync(copyFile);
    expect(await issuesOf(verify)).toEqual([]);
  });

  test('rejects a genuine row of a truncated history in the history that followed', async () => {
    const { tenant, verify } = await plant();
    const old = (await rowsOf(tenant))[5]!;
    await truncate(tenant, 4);
    for (let i = 5; i <= rowCount; i += 1) await change(tenant, `again ${i}`);
    expect(await issuesOf(verify)).toEqual([]);
    await tamper(
      tenant,
      `update changes set id = '${old.id}', hash = '${old.hash}', actor = '${old.actor}', tool = '${old.tool}', at = ${old.at},
        mac = '${old.mac}' where tenant = $tenant and seq = 6`,
    );
    expect(await issuesOf(verify)).toEqual([{ seq: 6, problem: 'edited' }]);
  });

  test('verifies the chains of two tenants independently', async () => {
    const [one, two] = [await plant(), await plant()];
    await tamper(one.tenant, "update changes set actor = 'eve' where tenant = $tenant and seq = 5");
    expect(await issuesOf(one.verify)).toHaveLength(1);
    expect(await issuesOf(two.verify)).toEqual([]);
  });

  describe('a checkpoint', () => {
    const edit = (file: string, forge: () => object) => {
      const line = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      writeFileSync(file, `${JSON.stringify({ ...line, ...forge() })}\n`);
    };

    test.each([
      ['an earlier row', () => ({ seq: 2 })],
      ['another state', () => ({ mac: '00' })],
      ['another time', () => ({ at: 1 })],
      ['another tenant', () => ({ tenant: 'other' })],
      ['an invalid signature', () => ({ signature: '00' })],
      ['no signature', () => ({ signature: undefined })],
    ])(
      'forged to name %s is reported, and does not hide the truncation that it should reveal',
      async (_what, forge) => {
        const { tenant, file, copyFile, verify, checkpoint } = await plant();
        await checkpoint();
        rmSync(copyFile);
        edit(file, forge);
        expect(await issuesOf(verify)).toEqual([{ seq: 0, problem: 'checkpoint-forged' }]);
        await truncate(tenant, 3);
        expect((await verify()).ok).toBe(false);
      },
    );

    test('consisting of garbage is reported, and valid lines still count', async () => {
      const { tenant, file, verify, checkpoint } = await plant();
      await checkpoint();
      writeFileSync(file, `not json\n${readFileSync(file, 'utf8')}null\n`);
      await truncate(tenant, 3);
      expect(await issuesOf(verify)).toEqual([
        { seq: 0, problem: 'checkpoint-forged' },
        { seq: 3, problem: 'truncated' },
      ]);
    });

    test('made under another key is reported as forged', async () => {
      const { file, verify, tenant } = await plant();
      await createCheckpoints(file, Buffer.from('another key')).write([{ tenant, seq: rowCount, mac: 'x', at: 0 }]);
      expect(await issuesOf(verify)).toEqual([{ seq: 0, problem: 'checkpoint-forged' }]);
    });
  });

  test('stops a verification when the call is cancelled', async () => {
    const { audit, tenant } = await plant();
    const call = createCall(tenant, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(audit.verify(call)).rejects.toThrow('enough');
  });

  test('lists newest first, by topic, by item and by page', async () => {
    const { audit, tenant } = await plant();
    await storage.write(createCall(tenant), function* (db) {
      yield* db.changed('cell', 'c1', 'create', 'h');
    });
    const seqs = async (filter: Parameters<Audit['list']>[1]) =>
      (await audit.list(createCall(tenant), filter)).rows.map(({ seq }) => seq);
    expect(await seqs({ limit: 3 })).toEqual([10, 9, 8]);
    expect(await seqs({ limit: 3, beforeSeq: 8 })).toEqual([7, 6, 5]);
    expect(await seqs({ limit: 3, topic: 'cell' })).toEqual([10]);
    expect(await seqs({ limit: 3, topic: 'pad', id: 'p2' })).toEqual([2]);
    expect(await audit.list(createCall(newTenant()), { limit: 3 })).toEqual({ rows: [] });
  });

  test('lists by actor, by tool and by time, each end included', async () => {
    const { audit, tenant } = await plant();
    await tamper(tenant, 'update changes set at = seq * 10 where tenant = $tenant');
    const list = async (filter: Omit<Parameters<Audit['list']>[1], 'limit'>, limit = 3) => {
      const { rows, nextBeforeSeq } = await audit.list(createCall(tenant), { ...filter, limit });
      return [rows.map(({ seq }) => seq), nextBeforeSeq];
    };
    expect(await list({ actor: 'actor of p4' })).toEqual([[4], undefined]);
    expect(await list({ tool: 'tool/p5' })).toEqual([[5], undefined]);
    expect(await list({ tool: 'tool/p5', actor: 'actor of p4' })).toEqual([[], undefined]);
    expect(await list({ to: 40 })).toEqual([[4, 3, 2], 2]);
    expect(await list({ to: 39 })).toEqual([[3, 2, 1], undefined]);
    expect(await list({ from: 80 })).toEqual([[9, 8], undefined]);
    expect(await list({ from: 30, to: 45 })).toEqual([[4, 3], undefined]);
    expect(await list({ from: 20, to: 40, beforeSeq: 4 }, 1)).toEqual([[3], 3]);
    expect(await list({ to: 5 })).toEqual([[], undefined]);
    expect(await list({ from: 95 })).toEqual([[], undefined]);
    expect(await list({}, rowCount)).toEqual([[9, 8, 7, 6, 5, 4, 3, 2, 1], undefined]);
  });

  test('examines a limited number of rows per page, and the next page continues', async () => {
    const { audit, tenant } = await plant(1);
    for (let i = 0; i <= limits.auditExaminedCount; i += 500) {
      await storage.write(createCall(tenant), function* (db) {
        for (let at = 0; at < 500; at += 1) yield* db.changed('pad', 'other', 'update', 'h');
      });
    }
    const wanted = { topic: 'pad', id: 'p1', limit: 5 };
    const first = await audit.list(createCall(tenant), wanted);
    expect(first).toEqual({ rows: [], nextBeforeSeq: 502 });
    const { rows } = await audit.list(createCall(tenant), { ...wanted, beforeSeq: first.nextBeforeSeq });
    expect(rows.map(({ seq }) => seq)).toEqual([1]);
  });

  test('finds one row of the own tenant', async () => {
    const { audit, tenant } = await plant(2);
    expect(await audit.find(createCall(tenant), 2)).toMatchObject({ seq: 2, id: 'p2' });
    expect(await audit.find(createCall(tenant), 3)).toBeUndefined();
    expect(await audit.find(createCall(newTenant()), 2)).toBeUndefined();
  });
});
