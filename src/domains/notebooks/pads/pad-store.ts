import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';

export interface PadRow {
  readonly scratch_id: string;
  readonly pad_key: string;
  /** '' for none. */
  readonly namespace_key: string;
  /** The current name of the namespace. */
  readonly namespace: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly summary: string | null;
  /** JSON texts: two lists, and a map of the metadata without the named fields. */
  readonly tags: string;
  readonly cell_tags: string;
  readonly metadata: string;
  readonly cell_count: number;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** 1 when the pad has shared schemas. */
  readonly has_schemas: number;
}

/** The columns of a PadRow, for statements on `notebook_pads` without an alias. */
const columns = sql`scratch_id, pad_key, namespace_key, title, description, summary, tags, cell_tags, metadata,
  cell_count, revision, created_at, updated_at, row_hash,
  (select n.namespace from notebook_namespaces n
    where n.tenant = notebook_pads.tenant and n.namespace_key = notebook_pads.namespace_key) as namespace,
  case when exists (select 1 from notebook_schemas s
    where s.tenant = notebook_pads.tenant and s.pad_key = notebook_pads.pad_key) then 1 else 0 end as has_schemas`;

type HashedColumn =
  | ('scratch_id' | 'pad_key' | 'namespace_key' | 'title' | 'description' | 'summary' | 'tags' | 'metadata')
  | 'created_at';

export type HashedPad = Pick<PadRow, HashedColumn>;

export const padHash = defineRowHash<HashedPad>(
  {
    table: 'notebook_pads',
    columns: [
      ...['scratch_id', 'pad_key', 'namespace_key', 'title', 'description', 'summary', 'tags', 'metadata'],
      'created_at',
    ],
  },
  ({ scratch_id }) => `scratchpad ${scratch_id}`,
);

export const findPad = (db: Reader, scratchId: string) =>
  padHash.get(
    db,
    sql<PadRow & Hashed>`
    select ${columns} from notebook_pads where tenant = ${db.tenant} and scratch_id = ${scratchId}`,
  );

/** Those of the ids that exist. */
export const takenIds = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<Pick<PadRow, 'scratch_id'>>`
    select scratch_id from notebook_pads where tenant = ${db.tenant} and scratch_id in ${list(scratchIds)}`);

export const listTitles = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<Pick<PadRow, 'scratch_id' | 'title'>>`
    select scratch_id, title from notebook_pads where tenant = ${db.tenant} and scratch_id in ${list(scratchIds)}`);

/** Returns the pad after the update; its row stays locked until the commit. */
export const bumpPad = (db: Writer, scratchId: string, addedCells: number) =>
  padHash.get(
    db,
    sql<PadRow & Hashed>`
    update notebook_pads set revision = revision + 1, cell_count = cell_count + ${addedCells}, updated_at = ${db.now}
    where tenant = ${db.tenant} and scratch_id = ${scratchId}
    returning ${columns}`,
  );

/** For a pad whose row is locked. Revisions never fall. */
export const raiseRevision = (db: Writer, scratchId: string, revision: number) =>
  db.run(sql`
    update notebook_pads set revision = ${revision} where tenant = ${db.tenant} and scratch_id = ${scratchId}`);

/**
 * Deletes the row of a pad; its cells and schemas stay under its key. A damaged pad is rejected: its copy in the trash
 * would count as intact.
 */
export function* takePad(db: Writer, scratchId: string): Work<PadRow | undefined> {
  const taken = yield* padHash.get(
    db,
    sql<PadRow & Hashed>`
    delete from notebook_pads where tenant = ${db.tenant} and scratch_id = ${scratchId}
    returning ${columns}`,
  );
  if (taken === undefined) return undefined;
  const { row_hash: _hash, ...pad } = taken;
  return pad;
}

export type NewPad = Omit<PadRow, 'has_schemas' | 'namespace'>;

/** Inserts nothing when the id is taken. */
export const insertPad = (db: Writer, row: NewPad) =>
  db.run(sql`
    insert into notebook_pads (tenant, scratch_id, pad_key, namespace_key, title, description, summary, tags, cell_tags,
      metadata, cell_count, revision, created_at, updated_at, last_access_at, row_hash)
    values (${db.tenant}, ${row.scratch_id}, ${row.pad_key}, ${row.namespace_key}, ${row.title}, ${row.description},
      ${row.summary}, ${row.tags}, ${row.cell_tags}, ${row.metadata}, ${row.cell_count}, ${row.revision},
      ${row.created_at}, ${row.updated_at}, ${db.now}, ${padHash.of(row)})
    on conflict do nothing`);

/** For a pad whose row is locked. */
export const changeCellCount = (db: Writer, scratchId: string, by: number) =>
  db.run(sql`
    update notebook_pads set cell_count = cell_count + ${by} where tenant = ${db.tenant} and scratch_id = ${scratchId}`);

export const setDescription = (db: Writer, pad: PadRow) =>
  db.run(sql`
    update notebook_pads set title = ${pad.title}, description = ${pad.description}, summary = ${pad.summary},
      row_hash = ${padHash.of(pad)}
    where tenant = ${db.tenant} and scratch_id = ${pad.scratch_id}`);

export const setCellTags = (db: Writer, scratchId: string, cellTags: string) =>
  db.run(sql`
    update notebook_pads set cell_tags = ${cellTags} where tenant = ${db.tenant} and scratch_id = ${scratchId}`);

export interface TotalsRow {
  readonly pads_count: number;
  readonly cells_count: number;
}

/** Totals per tenant, so that limits and metrics need not count. */
export const addToTotals = (db: Writer, pads: number, cells: number) =>
  db.get(sql<TotalsRow>`
    insert into notebook_totals (tenant, pads_count, cells_count) values (${db.tenant}, ${pads}, ${cells})
    on conflict (tenant) do update set
      pads_count = notebook_totals.pads_count + excluded.pads_count,
      cells_count = notebook_totals.cells_count + excluded.cells_count
    returning pads_count, cells_count`);

export const findTotals = (db: Reader) =>
  db.get(sql<TotalsRow>`select pads_count, cells_count from notebook_totals where tenant = ${db.tenant}`);
