import { expect, it } from 'vitest';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { migrations } from '#migrations/all.ts';
import type { TenantId } from '../call.ts';
import { removalLimits, removeTenantRows } from './remove-tenant.ts';
import { sql } from './sql.ts';

describeOnEngines('removing a tenant', ({ storage, newTenant }) => {
  const callOf = (tenant: TenantId) => systemCall('test', { tenant, audit: 'row' });

  /** More rows than one write removes. */
  const rowsCount = removalLimits.rowsPerWriteCount + 200;
  const fill = (tenant: TenantId) =>
    storage().write(callOf(tenant), function* (db) {
      yield* db.run(sql`
        with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rowsCount})
        insert into recall_receipts (tenant, receipt_id, at, actor, document)
        select ${tenant}, 'r' || i, cast(i as bigint), 'a', '{}' from n`);
      yield* db.changed('thing', 'one', 'create', '');
    });

  const left = (tenant: TenantId) =>
    storage().read(callOf(tenant), function* (db) {
      const receipts = yield* db.all(sql`select receipt_id from recall_receipts where tenant = ${tenant}`);
      const changes = yield* db.all(sql`select seq from changes where tenant = ${tenant}`);
      const heads = yield* db.all(sql`select seq from audit_heads where tenant = ${tenant}`);
      const names = yield* db.all(sql`select name from tenants where name = ${tenant}`);
      return [receipts.length, changes.length, heads.length, names.length];
    });

  it('deletes its rows and its name, and nothing of others', async () => {
    const [gone, kept] = [newTenant(), newTenant()];
    for (const tenant of [gone, kept]) await fill(tenant);
    const call = () => systemCall('test', { tenant: gone });
    const count = await removeTenantRows({ storage: storage(), migrations, call });
    expect(count).toBeGreaterThanOrEqual(rowsCount + 2);
    expect(await left(gone)).toEqual([0, 0, 0, 0]);
    expect(await left(kept)).toEqual([rowsCount, 1, 1, 1]);
    expect(await removeTenantRows({ storage: storage(), migrations, call })).toBe(0);
  });
});
