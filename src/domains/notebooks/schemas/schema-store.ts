import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { sql, values } from '#kernel/storage/sql.ts';

export interface SchemaRow {
  readonly schema_id: string;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON text. */
  readonly schema: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const columns = sql`schema_id, name, description, schema, created_at, updated_at, row_hash`;

const rowHash = defineRowHash<Pick<SchemaRow, 'schema_id' | 'name' | 'description' | 'schema'>>(
  { table: 'notebook_schemas', columns: ['schema_id', 'name', 'description', 'schema'] },
  ({ schema_id }) => `schema ${schema_id}`,
);

type StoredSchema = SchemaRow & Hashed;

/** Unsorted. */
export const schemasOf = (db: Reader, padKey: string) =>
  rowHash.all(
    db,
    sql<StoredSchema>`
    select ${columns} from notebook_schemas where tenant = ${db.tenant} and pad_key = ${padKey}`,
  );

export const findSchemaById = (db: Reader, padKey: string, id: string) =>
  rowHash.get(
    db,
    sql<StoredSchema>`
    select ${columns} from notebook_schemas
    where tenant = ${db.tenant} and pad_key = ${padKey} and schema_id = ${id}`,
  );

export const findSchemaByName = (db: Reader, padKey: string, name: string) =>
  rowHash.get(
    db,
    sql<StoredSchema>`
    select ${columns} from notebook_schemas
    where tenant = ${db.tenant} and pad_key = ${padKey} and name = ${name} order by schema_id limit 1`,
  );

/** The other schemas of the pad. */
export const countSchemas = (db: Reader, padKey: string, exceptId: string) =>
  db.get(sql<{ readonly n: number; readonly bytes: number }>`
    select count(*) as n, coalesce(sum(octet_length(schema)), 0) as bytes from notebook_schemas
    where tenant = ${db.tenant} and pad_key = ${padKey} and schema_id <> ${exceptId}`);

const toValues = (db: Writer, padKey: string, row: SchemaRow) => [
  ...[db.tenant, padKey, row.schema_id, row.name, row.description, row.schema, row.created_at, row.updated_at],
  rowHash.of(row),
];

/** The ids must be distinct. */
export const insertSchemas = (db: Writer, padKey: string, rows: readonly SchemaRow[]) =>
  db.run(sql`
    insert into notebook_schemas (tenant, pad_key, schema_id, name, description, schema, created_at, updated_at,
      row_hash)
    values ${values(rows.map((row) => toValues(db, padKey, row)))}`);

export const upsertSchema = (db: Writer, padKey: string, row: SchemaRow) =>
  db.run(sql`
    insert into notebook_schemas (tenant, pad_key, schema_id, name, description, schema, created_at, updated_at,
      row_hash)
    values ${values([toValues(db, padKey, row)])}
    on conflict (tenant, pad_key, schema_id) do update set
      name = excluded.name, description = excluded.description, schema = excluded.schema,
      updated_at = excluded.updated_at, row_hash = excluded.row_hash`);
