import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

/** An id or name that was forgotten, as an HMAC. */
export interface TombstoneRow {
  readonly mac: string;
  readonly forgotten_at: number;
  readonly certificate_id: string;
}

/** A tombstone outside the store. */
export interface CopiedTombstone extends TombstoneRow {
  /** The names were removed from other texts too. */
  readonly mentions?: true | undefined;
}

export const insertTombstones = (db: Writer, rows: readonly TombstoneRow[]) =>
  db.run(sql`
    insert into truth_tombstones (tenant, mac, forgotten_at, certificate_id)
    values ${values(rows.map((row) => [db.tenant, row.mac, row.forgotten_at, row.certificate_id]))}
    on conflict (tenant, mac) do update set forgotten_at = excluded.forgotten_at,
      certificate_id = excluded.certificate_id`);

/** From now on the writers of the tenant look for tombstones. */
export const noteForgetting = (db: Writer, at: number) =>
  db.run(sql`
    update audit_heads set forgotten_at = ${at} where tenant = ${db.tenant} and forgotten_at < ${at}`);

export const findTombstones = (db: Reader, macs: readonly string[]) =>
  db.all(sql<TombstoneRow>`
    select mac, forgotten_at, certificate_id from truth_tombstones
    where tenant = ${db.tenant} and mac in ${list(macs)}`);
