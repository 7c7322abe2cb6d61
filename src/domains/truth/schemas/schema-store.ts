import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';

export interface SchemaHead {
  readonly entity_type: string;
  readonly version: string;
  readonly is_active: number;
  readonly created_at: number;
  readonly activated_at: number | null;
}

export interface SchemaRow extends SchemaHead {
  /** Canonical JSON. */
  readonly definition: string;
}

type HashedColumn = 'entity_type' | 'version' | 'definition' | 'created_at';
type StoredSchema = SchemaRow & Hashed;

const rowHash = defineRowHash<Pick<SchemaRow, HashedColumn>>(
  { table: 'truth_schemas', columns: ['entity_type', 'version', 'definition', 'created_at'] },
  ({ entity_type, version }) => `schema ${entity_type} ${version}`,
);

const columns = sql`entity_type, version, is_active, created_at, activated_at, definition, row_hash`;

export const findActiveDefinition = (db: Reader, type: string) =>
  rowHash.get(
    db,
    sql<StoredSchema>`
    select entity_type, version, is_active, created_at, activated_at, definition, row_hash from truth_schemas
    where tenant = ${db.tenant} and entity_type = ${type} and is_active = 1`,
  );

/** Unsorted. */
export const findActiveDefinitions = (db: Reader, types: readonly string[]) =>
  rowHash.all(
    db,
    sql<StoredSchema>`
    select entity_type, version, is_active, created_at, activated_at, definition, row_hash from truth_schemas
    where tenant = ${db.tenant} and is_active = 1 and entity_type in ${list(types)}`,
  );

export const findSchema = (db: Reader, type: string, version: string) =>
  rowHash.get(
    db,
    sql<StoredSchema>`
    select ${columns} from truth_schemas
    where tenant = ${db.tenant} and entity_type = ${type} and version = ${version}`,
  );

/** Unsorted: the engines would compare versions as text. */
export const schemasOf = (db: Reader, type: string, limit: number) =>
  rowHash.all(
    db,
    sql<StoredSchema>`
    select ${columns} from truth_schemas
    where tenant = ${db.tenant} and entity_type = ${type} limit ${limit}`,
  );

export const schemaHeads = (db: Reader, limit: number) =>
  db.all(sql<SchemaHead>`
    select entity_type, version, is_active, created_at, activated_at from truth_schemas
    where tenant = ${db.tenant} limit ${limit}`);

export const countSchemas = (db: Reader, type: string) =>
  db.get(sql<{ readonly all_count: number; readonly type_count: number }>`
    select count(*) as all_count, coalesce(sum(case when entity_type = ${type} then 1 else 0 end), 0) as type_count
    from truth_schemas where tenant = ${db.tenant}`);

export const insertSchema = (db: Writer, row: Pick<SchemaRow, 'entity_type' | 'version' | 'definition'>) =>
  db.run(sql`
    insert into truth_schemas (tenant, entity_type, version, definition, is_active, created_at, row_hash)
    values (${db.tenant}, ${row.entity_type}, ${row.version}, ${row.definition}, 0, ${db.now},
      ${rowHash.of({ ...row, created_at: db.now })})`);

/** The built-in schema applies then. */
export const deactivateSchemas = (db: Writer, type: string) =>
  db.run(sql`
    update truth_schemas set is_active = 0
    where tenant = ${db.tenant} and entity_type = ${type} and is_active = 1`);

export const activateSchema = (db: Writer, type: string, version: string) =>
  db.run(sql`
    update truth_schemas set is_active = 1, activated_at = ${db.now}
    where tenant = ${db.tenant} and entity_type = ${type} and version = ${version}`);

interface ActivationRow {
  readonly entity_type: string;
  readonly from_at: number;
  readonly version: string;
  /** Null while it is active. */
  readonly until_at: number | null;
}

const activationHash = defineRowHash<ActivationRow>(
  { table: 'truth_schema_activations', columns: ['entity_type', 'from_at', 'version', 'until_at'] },
  ({ entity_type, version }) => `the activation of schema ${entity_type} ${version}`,
);

/** The version that was active at that time; undefined: the built-in one. */
export const findActivation = (db: Reader, type: string, knownAt: number) =>
  activationHash.get(
    db,
    sql<ActivationRow & Hashed>`
    select entity_type, from_at, version, until_at, row_hash from truth_schema_activations
    where tenant = ${db.tenant} and entity_type = ${type} and from_at <= ${knownAt}
      and (until_at is null or until_at > ${knownAt})
    order by from_at desc limit 1`,
  );

export const endActivation = (db: Writer, row: ActivationRow) =>
  db.run(sql`
    update truth_schema_activations set until_at = ${db.now},
      row_hash = ${activationHash.of({ ...row, until_at: db.now })}
    where tenant = ${db.tenant} and entity_type = ${row.entity_type} and from_at = ${row.from_at}`);

/** Replaces one that began in the same millisecond, which was never in effect. */
export const insertActivation = (db: Writer, entity_type: string, version: string) =>
  db.run(sql`
    insert into truth_schema_activations (tenant, entity_type, from_at, version, until_at, row_hash)
    values (${db.tenant}, ${entity_type}, ${db.now}, ${version}, null,
      ${activationHash.of({ entity_type, from_at: db.now, version, until_at: null })})
    on conflict (tenant, entity_type, from_at) do update set version = excluded.version, until_at = null,
      row_hash = excluded.row_hash`);
