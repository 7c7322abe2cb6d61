import { describe, expect, test } from 'vitest';
import { type AuditRow, genesisMac, rowMac } from '#kernel/audit/chain.ts';
import type { TenantId } from '#kernel/call.ts';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { auditKey } from './engine.ts';

const rowsOf = (db: Reader) =>
  db.all(sql<AuditRow>`
    select tenant, seq, topic, id, what, hash, actor, tool, at, mac from changes where tenant = ${db.tenant} order by seq`);

const headOf = (db: Reader) =>
  db.get(sql<{ seq: number; mac: string }>`select seq, mac from audit_heads where tenant = ${db.tenant}`);

/** The number of the first row that does not follow from the previous one, or 0. */
function firstBreak(rows: readonly AuditRow[]): number {
  let mac = genesisMac;
  for (const [i, row] of rows.entries()) {
    if (row.seq !== i + 1 || rowMac(auditKey, mac, row) !== row.mac) return i + 1;
    mac = row.mac;
  }
  return 0;
}

export function describeAudit({ store, testStore }: ContractContext): void {
  const chainOf = (tenant: TenantId) =>
    store().read(createCall(tenant), function* (db) {
      return { rows: yield* rowsOf(db), head: yield* headOf(db) };
    });

  const tellOften = (tenant: TenantId, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        store().write(createCall(tenant, { actor: `actor ${i % 3}` }), function* (db) {
          for (let n = 0; n <= i % 3; n += 1) yield* db.changed('pad', `p${i}-${n}`, 'update', `h${n}`);
        }),
      ),
    );

  describe('the audit chain', () => {
    test('links every row to the previous one, also with many concurrent writes', async () => {
      const [one, two] = [newTenant(), newTenant()];
      await Promise.all([tellOften(one, 30), tellOften(two, 12)]);
      for (const [tenant, count] of [
        [one, 60],
        [two, 24],
      ] as const) {
        const { rows, head } = await chainOf(tenant);
        expect(rows).toHaveLength(count);
        expect(firstBreak(rows)).toBe(0);
        expect(head).toEqual({ seq: count, mac: rows.at(-1)?.mac });
      }
    });

    test('records actor, tool and time in every row', async () => {
      const tenant = newTenant();
      const before = Date.now();
      await store().write(createCall(tenant, { actor: 'ada', tool: 'pads/delete' }), function* (db) {
        yield* db.changed('pad', 'p', 'delete', 'h');
      });
      const { rows } = await chainOf(tenant);
      expect(rows).toMatchObject([
        { tenant, seq: 1, topic: 'pad', id: 'p', what: 'delete', hash: 'h', actor: 'ada', tool: 'pads/delete' },
      ]);
      expect(rows[0]?.at).toBeGreaterThanOrEqual(before);
      expect(rows[0]?.at).toBeLessThanOrEqual(Date.now());
    });

    test('an edited, deleted or moved row breaks the chain at its position', async () => {
      for (const [statement, brokenAt] of [
        ["update changes set actor = 'eve' where seq = 3", 3],
        ['delete from changes where seq = 2', 2],
        ['update changes set seq = seq + 100 where seq = 4', 4],
      ] as const) {
        const tenant = newTenant();
        await tellOften(tenant, 5);
        expect(firstBreak((await chainOf(tenant)).rows)).toBe(0);
        await testStore().tamper(`${statement} and tenant = '${tenant}'`);
        expect(firstBreak((await chainOf(tenant)).rows)).toBe(brokenAt);
      }
    });
  });
}
