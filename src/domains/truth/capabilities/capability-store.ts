import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { sql } from '#kernel/storage/sql.ts';

export interface CapabilityRow {
  readonly capability_id: string;
  /** Canonical JSON. */
  readonly definition: string;
  readonly created_at: number;
}

const rowHash = defineRowHash<CapabilityRow>(
  { table: 'truth_capabilities', columns: ['capability_id', 'definition', 'created_at'] },
  ({ capability_id }) => `capability ${capability_id}`,
);

export const findCapability = (db: Reader, capabilityId: string) =>
  rowHash.get(
    db,
    sql<CapabilityRow & Hashed>`
    select capability_id, definition, created_at, row_hash from truth_capabilities
    where tenant = ${db.tenant} and capability_id = ${capabilityId}`,
  );

export const listCapabilities = (db: Reader, limit: number) =>
  rowHash.all(
    db,
    sql<CapabilityRow & Hashed>`
    select capability_id, definition, created_at, row_hash from truth_capabilities
    where tenant = ${db.tenant} order by capability_id limit ${limit}`,
  );

export const countCapabilities = (db: Reader, limit: number) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from (
      select 1 from truth_capabilities where tenant = ${db.tenant} limit ${limit}) counted`);

/** Inserts nothing if the id exists. */
export const insertCapability = (db: Writer, capabilityId: string, definition: string) =>
  db.run(sql`
    insert into truth_capabilities (tenant, capability_id, definition, created_at, row_hash)
    values (${db.tenant}, ${capabilityId}, ${definition}, ${db.now},
      ${rowHash.of({ capability_id: capabilityId, definition, created_at: db.now })})
    on conflict do nothing`);

export const deleteCapability = (db: Writer, capabilityId: string) =>
  db.run(sql`delete from truth_capabilities where tenant = ${db.tenant} and capability_id = ${capabilityId}`);
