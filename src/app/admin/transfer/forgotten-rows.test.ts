import { expect, it } from 'vitest';
import { insertTombstones } from '#domains/truth/forgetting/tombstone-store.ts';
import { createTombstones } from '#domains/truth/forgetting/tombstones.ts';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { refuseForgottenRows } from './forgotten-rows.ts';

describeOnEngines('rows of an import', ({ storage, newTenant }) => {
  const tombstones = createTombstones(Buffer.from('the tombstones of a test'));

  it('[TR126] are FORGOTTEN if they were recorded before their item was forgotten', async () => {
    const call = systemCall('import', { tenant: newTenant() });
    const mac = tombstones.macOf(call.tenant, { kind: 'entity', value: 'ent_1' });
    const row = { mac, forgotten_at: 1_000, certificate_id: 'fgt_1' };
    await storage().write(call, (db) => insertTombstones(db, [row]));
    const check = (name: string, entity_id: string, created_at: number) =>
      refuseForgottenRows(storage(), tombstones, call, { table: { name }, rows: [{ entity_id, created_at }] });
    for (const table of ['truth_entities', 'truth_observations']) {
      await expect(check(table, 'ent_1', 1_000)).rejects.toMatchObject({ code: 'FORGOTTEN' });
    }
    // Recorded later, another entity, and a table without ids of entities.
    await expect(check('truth_entities', 'ent_1', 1_001)).resolves.toBeUndefined();
    await expect(check('truth_entities', 'ent_2', 1)).resolves.toBeUndefined();
    await expect(check('truth_totals', 'ent_1', 1)).resolves.toBeUndefined();
  });
});
