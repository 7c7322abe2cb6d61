import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { sql } from '#kernel/storage/sql.ts';

export interface NamespaceRow {
  readonly namespace_key: string;
  readonly namespace: string;
  readonly pads_count: number;
}

const rowHash = defineRowHash<Pick<NamespaceRow, 'namespace_key' | 'namespace'>>(
  { table: 'notebook_namespaces', columns: ['namespace_key', 'namespace'] },
  ({ namespace }) => `namespace ${namespace}`,
);

type StoredNamespace = NamespaceRow & Hashed;

export const listNamespaces = (db: Reader, after: string, limit: number) =>
  rowHash.all(
    db,
    sql<StoredNamespace>`
    select namespace_key, namespace, pads_count, row_hash from notebook_namespaces
    where tenant = ${db.tenant} and namespace > ${after} order by namespace limit ${limit}`,
  );

export const findNamespace = (db: Reader, namespace: string) =>
  rowHash.get(
    db,
    sql<StoredNamespace>`
    select namespace_key, namespace, pads_count, row_hash from notebook_namespaces
    where tenant = ${db.tenant} and namespace = ${namespace}`,
  );

/** Locks the row. Returns the namespace after the update, if it exists. */
export const addPads = (db: Writer, namespace: string, count: number) =>
  rowHash.get(
    db,
    sql<StoredNamespace>`
    update notebook_namespaces set pads_count = pads_count + ${count}
    where tenant = ${db.tenant} and namespace = ${namespace}
    returning namespace_key, namespace, pads_count, row_hash`,
  );

export const addPadsByKey = (db: Writer, namespaceKey: string, count: number) =>
  db.run(sql`
    update notebook_namespaces set pads_count = pads_count + ${count}
    where tenant = ${db.tenant} and namespace_key = ${namespaceKey}`);

/** Inserts nothing when the name is taken. */
export const insertNamespace = (db: Writer, row: NamespaceRow) =>
  db.run(sql`
    insert into notebook_namespaces (tenant, namespace_key, namespace, pads_count, created_at, row_hash)
    values (${db.tenant}, ${row.namespace_key}, ${row.namespace}, ${row.pads_count}, ${db.now}, ${rowHash.of(row)})
    on conflict do nothing`);

export const renameNamespace = (db: Writer, namespaceKey: string, namespace: string) =>
  db.run(sql`
    update notebook_namespaces set namespace = ${namespace},
      row_hash = ${rowHash.of({ namespace_key: namespaceKey, namespace })}
    where tenant = ${db.tenant} and namespace_key = ${namespaceKey}`);

/** Deletes nothing when a pad was added meanwhile. */
export const deleteNamespace = (db: Writer, namespaceKey: string) =>
  db.run(sql`
    delete from notebook_namespaces
    where tenant = ${db.tenant} and namespace_key = ${namespaceKey} and pads_count = 0`);

export const listPadIds = (db: Reader, namespaceKey: string, limit: number) =>
  db.all(sql<{ readonly scratch_id: string }>`
    select scratch_id from notebook_pads where tenant = ${db.tenant} and namespace_key = ${namespaceKey}
    order by scratch_id limit ${limit}`);
