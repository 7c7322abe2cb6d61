import { expect, it } from 'vitest';
import type { TenantId } from '../call.ts';
import { describeOnEngines } from '../jobs/engines.fixture.ts';
import { systemCall } from '../jobs/system-call.ts';
import { sql } from '../storage/sql.ts';
import { findNewestChanges, findNewestSeq, findRemovedTenants, tenantTopic } from './item-changes.ts';

describeOnEngines('the changes of an item', ({ storage, newTenant, kind }) => {
  const callOf = (tenant: TenantId, actor = 'ada') => systemCall('test', { tenant, actor, audit: 'row' });
  const change = (tenant: TenantId, id: string, actor: string) =>
    storage().write(callOf(tenant, actor), (db) => db.changed('thing', id, 'update', ''));
  const all = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
  const refs = (...ids: readonly string[]) => ids.map((id) => ({ topic: 'thing', id }));

  it('finds the newest of each, within a range, and none of other tenants', async () => {
    const [mine, other] = [newTenant(), newTenant()];
    for (const [id, actor] of [
      ['a', 'ada'],
      ['b', 'ben'],
      ['a', 'eve'],
    ] as const) {
      await change(mine, id, actor);
    }
    await change(other, 'c', 'zoe');
    const read = (range: typeof all) =>
      storage().read(callOf(mine), (db) => findNewestChanges(db, refs('a', 'b', 'c'), range));
    const shown = async (range = all) =>
      (await read(range)).map(({ id, actor, seq }) => `${seq} ${id} ${actor}`).toSorted((a, b) => a.localeCompare(b));
    expect(await shown()).toEqual(['2 b ben', '3 a eve']);
    expect(await shown({ after: 0, upTo: 2 })).toEqual(['1 a ada', '2 b ben']);
    expect(await shown({ after: 2, upTo: 3 })).toEqual(['3 a eve']);
    expect(await storage().read(callOf(mine), findNewestSeq)).toEqual({ seq: 3 });
  });

  it('knows which tenants were removed', async () => {
    const operator = newTenant();
    for (const [id, what] of [
      ['one', 'delete'],
      ['two', 'create'],
    ] as const) {
      await storage().write(callOf(operator), (db) => db.changed(tenantTopic, id, what, ''));
    }
    const names = ['one', 'two', 'three'];
    expect(await storage().read(callOf(operator), (db) => findRemovedTenants(db, names))).toEqual(new Set(['one']));
  });

  it.skipIf(kind !== 'sqlite')('reads only the rows of that item', async () => {
    const plan = await storage().read(callOf(newTenant()), (db) =>
      db.all(sql<{ detail: string }>`
        explain query plan select max(seq) from changes where tenant = 't' and topic = 'x' and id = 'y' and seq > 3`),
    );
    expect(plan.map(({ detail }) => detail).join()).toContain(
      'changes_by_item (tenant=? AND topic=? AND id=? AND seq>?)',
    );
  });
});
