import type { Call } from '../call.ts';
import type { Work, Writer } from '../storage/port.ts';
import { sql, values } from '../storage/sql.ts';
import type { Handle, PendingChange } from '../storage/transaction-handle.ts';
import { type AuditRow, rowMac } from './chain.ts';

interface HeadRow {
  readonly seq: number;
  readonly mac: string;
  /** The time of the tenant's last change; it never decreases. */
  readonly at: number;
}

/**
 * Reserves the next `count` numbers. On PostgreSQL the row stays locked until the commit, so numbers are in commit
 * order.
 */
const advanceHead = (db: Writer, count: number) =>
  db.get(sql<HeadRow>`
    insert into audit_heads (tenant, seq, mac, at) values (${db.tenant}, ${count}, '', ${db.now})
    on conflict (tenant) do update set seq = audit_heads.seq + excluded.seq,
      at = case when excluded.at > audit_heads.at then excluded.at else audit_heads.at end
    returning seq, mac, at`);

const setHeadMac = (db: Handle, mac: string) =>
  db.send(sql`update audit_heads set mac = ${mac} where tenant = ${db.tenant}`);

/** Together with the first row of a tenant's chain. */
const addTenant = (db: Handle) => db.send(sql`insert into tenants (name) values (${db.tenant}) on conflict do nothing`);

const insertRows = (db: Handle, rows: readonly AuditRow[]) =>
  db.send(sql`
    insert into changes (tenant, seq, topic, id, what, hash, actor, tool, at, mac)
    values ${values(
      rows.map(({ tenant, seq, topic, id, what, hash, actor, tool, at, mac }) => [
        ...[tenant, seq, topic, id, what, hash, actor, tool, at, mac],
      ]),
    )}`);

/** The last statements of a write: one row per change, linked to the row before it. */
export function* appendAudit(db: Handle, call: Call, key: Uint8Array, changes: readonly PendingChange[]): Work<void> {
  if (changes.length === 0) return;
  const head = yield* advanceHead(db, changes.length);
  if (head === undefined) throw new Error('bug: the audit head was not returned');
  let { mac } = head;
  let seq = head.seq - changes.length;
  if (seq === 0) yield* addTenant(db);
  const rows: AuditRow[] = [];
  for (const change of changes) {
    seq += 1;
    const row = { tenant: db.tenant, seq, ...change, actor: call.actor, tool: call.tool, at: head.at };
    mac = rowMac(key, mac, row);
    rows.push({ ...row, mac });
  }
  yield* insertRows(db, rows);
  yield* setHeadMac(db, mac);
}
