import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';

export interface TypeRow {
  readonly relationship_type: string;
  readonly description: string;
  readonly is_acyclic: number;
  readonly created_at: number;
}

const rowHash = defineRowHash<TypeRow>(
  {
    table: 'truth_relationship_types',
    columns: ['relationship_type', 'description', 'is_acyclic', 'created_at'],
  },
  ({ relationship_type }) => `relationship type ${relationship_type}`,
);

/** Unsorted. */
export const findTypes = (db: Reader, types: readonly string[]) =>
  rowHash.all(
    db,
    sql<TypeRow & Hashed>`
    select relationship_type, description, is_acyclic, created_at, row_hash from truth_relationship_types
    where tenant = ${db.tenant} and relationship_type in ${list(types)}`,
  );

export const listTypes = (db: Reader, limit: number) =>
  rowHash.all(
    db,
    sql<TypeRow & Hashed>`
    select relationship_type, description, is_acyclic, created_at, row_hash from truth_relationship_types
    where tenant = ${db.tenant} order by relationship_type limit ${limit}`,
  );

export const insertType = (db: Writer, row: TypeRow) =>
  db.run(sql`
    insert into truth_relationship_types (tenant, relationship_type, description, is_acyclic, created_at, row_hash)
    values (${db.tenant}, ${row.relationship_type}, ${row.description}, ${row.is_acyclic}, ${row.created_at},
      ${rowHash.of(row)})`);
