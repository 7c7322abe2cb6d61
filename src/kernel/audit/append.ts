import type { Call } from '../call.ts';
import type { Work, Writer } from '../storage/port.ts';
import { type Sql, sql } from '../storage/sql.ts';
import type { Handle, PendingChange } from '../storage/steps.ts';
import { type AuditRow, rowMac } from './chain.ts';

interface HeadRow {
  readonly seq: number;
  readonly mac: string;
}

/** Takes the next `count` numbers. On PostgreSQL the row stays locked up to the commit, so numbers are in commit order. */
const advanceHead = (db: Writer, count: number) =>
  db.get(sql<HeadRow>`
    insert into audit_heads (tenant, seq, mac) values (${db.tenant}, ${count}, '')
    on conflict (tenant) do update set seq = audit_heads.seq + excluded.seq
    returning seq, mac`);

const setHeadMac = (db: Handle, mac: string) =>
  db.send(sql`update audit_heads set mac = ${mac} where tenant = ${db.tenant}`);

const tuple = (row: AuditRow): Sql =>
  sql`(${row.tenant}, ${row.seq}, ${row.topic}, ${row.id}, ${row.what}, ${row.hash}, ${row.actor}, ${row.tool}, ${row.at}, ${row.mac})`;

const insertRow = (db: Handle, row: AuditRow) =>
  db.send(sql`
    insert into changes (tenant, seq, topic, id, what, hash, actor, tool, at, mac)
    values (${row.tenant}, ${row.seq}, ${row.topic}, ${row.id}, ${row.what}, ${row.hash}, ${row.actor}, ${row.tool}, ${row.at}, ${row.mac})`);

/** Written out whole, as most writes tell of one thing or two: such a text is prepared once and never put together again. */
const insertTwoRows = (db: Handle, a: AuditRow, b: AuditRow) =>
  db.send(sql`
    insert into changes (tenant, seq, topic, id, what, hash, actor, tool, at, mac)
    values (${a.tenant}, ${a.seq}, ${a.topic}, ${a.id}, ${a.what}, ${a.hash}, ${a.actor}, ${a.tool}, ${a.at}, ${a.mac}),
      (${b.tenant}, ${b.seq}, ${b.topic}, ${b.id}, ${b.what}, ${b.hash}, ${b.actor}, ${b.tool}, ${b.at}, ${b.mac})`);

const insertRows = (db: Handle, rows: readonly AuditRow[]) =>
  db.send(sql`
    insert into changes (tenant, seq, topic, id, what, hash, actor, tool, at, mac)
    values ${{ parts: ['', ...rows.slice(1).map(() => ', '), ''], args: rows.map(tuple) }}`);

function insertSome(db: Handle, rows: readonly AuditRow[]) {
  const [first, second] = rows;
  if (second === undefined) return insertRow(db, first!);
  return rows.length === 2 ? insertTwoRows(db, first!, second) : insertRows(db, rows);
}

/** Rows that go in with one statement. */
const rowsCount = 16;

/** The last statements of a write: one row a change, linked to the row before it. */
export function* appendAudit(db: Handle, call: Call, key: Uint8Array, changes: readonly PendingChange[]): Work<void> {
  if (changes.length === 0) return;
  const head = yield* advanceHead(db, changes.length);
  if (head === undefined) throw new Error('bug: the audit head was not returned');
  let { mac } = head;
  let seq = head.seq - changes.length;
  const rows: AuditRow[] = [];
  for (const change of changes) {
    seq += 1;
    const row = { tenant: db.tenant, seq, ...change, actor: call.actor, tool: call.tool, at: db.now };
    mac = rowMac(key, mac, row);
    rows.push({ ...row, mac });
  }
  for (let at = 0; at < rows.length; at += rowsCount) {
    yield* insertSome(db, rows.slice(at, at + rowsCount));
  }
  yield* setHeadMac(db, mac);
}
