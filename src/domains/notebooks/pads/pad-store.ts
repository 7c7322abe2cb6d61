import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { Language } from '../languages.ts';

export interface PadRow {
  readonly scratch_id: string;
  readonly pad_key: string;
  /** '' is none. */
  readonly namespace_key: string;
  /** The name of the namespace now. */
  readonly namespace: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly summary: string | null;
  /** JSON texts: two lists, and what the metadata holds beside the named fields. */
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

export interface LightCellRow {
  readonly cell_id: string;
  readonly position: number;
  readonly language: Language;
  /** A JSON list. */
  readonly tags: string;
  readonly revision: number;
}

export interface CellRow extends LightCellRow {
  readonly validate: number;
  readonly content_bytes: number;
  /** JSON, or null. */
  readonly json_schema: string | null;
  /** A JSON map, without `tags`. */
  readonly metadata: string;
  readonly content: string;
}

/** Only contents that are not too long for one answer come along. */
export type ReadCellRow = Omit<CellRow, 'content'> & { readonly content: string | null };

/** The statements of hot paths are written out whole: such a text is prepared once and never put together again. */
export const findPad = (db: Reader, scratchId: string) =>
  db.get(sql<PadRow>`
    select p.scratch_id, p.pad_key, p.namespace_key, n.namespace, p.title, p.description, p.summary, p.tags, p.cell_tags,
      p.metadata, p.cell_count, p.revision, p.created_at, p.updated_at,
      case when exists (select 1 from notebook_schemas s where s.tenant = p.tenant and s.pad_key = p.pad_key)
        then 1 else 0 end as has_schemas
    from notebook_pads p
    left join notebook_namespaces n on n.tenant = p.tenant and n.namespace_key = p.namespace_key
    where p.tenant = ${db.tenant} and p.scratch_id = ${scratchId}`);

/** Those of the ids that a pad has. */
export const takenIds = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<Pick<PadRow, 'scratch_id'>>`
    select scratch_id from notebook_pads where tenant = ${db.tenant} and scratch_id in ${list(scratchIds)}`);

/** Unsorted: whoever shows them sorts by `position`. */
export const listLightCells = (db: Reader, padKey: string) =>
  db.all(sql<LightCellRow>`
    select cell_id, position, language, tags, revision from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey}`);

/** All of a pad with their contents, unsorted. */
export const listCells = (db: Reader, padKey: string) =>
  db.all(sql<CellRow>`
    select cell_id, position, language, tags, revision, validate, content_bytes, json_schema, metadata, content
    from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`);

/** Unsorted; ids that the pad does not have are left out. */
export const findCells = (db: Reader, padKey: string, cellIds: readonly string[]) =>
  db.all(sql<CellRow>`
    select cell_id, position, language, tags, revision, validate, content_bytes, json_schema, metadata, content
    from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id in ${list(cellIds)}`);

/** Unsorted, contents of at most `bytes` only. */
export const readCells = (db: Reader, padKey: string, bytes: number) =>
  db.all(sql<ReadCellRow>`
    select cell_id, position, language, tags, revision, validate, content_bytes, json_schema, metadata,
      case when content_bytes <= ${bytes} then content end as content
    from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`);

export type ListedCellRow = Omit<CellRow, 'content' | 'json_schema' | 'validate'> & { readonly preview: string | null };

/** Unsorted, with the first characters of each content of at most `bytes`: a long one would be read to its end for them. */
export const previewCells = (db: Reader, padKey: string, bytes: number, chars: number) =>
  db.all(sql<ListedCellRow>`
    select cell_id, position, language, tags, revision, content_bytes, metadata,
      case when content_bytes <= ${bytes} then substr(content, 1, ${chars}) end as preview
    from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`);

export const findContents = (db: Reader, padKey: string, cellIds: readonly string[]) =>
  db.all(sql<Pick<CellRow, 'cell_id' | 'content'>>`
    select cell_id, content from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id in ${list(cellIds)}`);

/** The pad as it is after one more write, locked by it up to the commit. */
export const bumpPad = (db: Writer, scratchId: string, addedCells: number) =>
  db.get(sql<PadRow>`
    update notebook_pads set revision = revision + 1, cell_count = cell_count + ${addedCells}, updated_at = ${db.now}
    where tenant = ${db.tenant} and scratch_id = ${scratchId}
    returning scratch_id, pad_key, namespace_key, title, description, summary, tags, cell_tags, metadata, cell_count,
      revision, created_at, updated_at,
      (select n.namespace from notebook_namespaces n
        where n.tenant = notebook_pads.tenant and n.namespace_key = notebook_pads.namespace_key) as namespace,
      case when exists (select 1 from notebook_schemas s
        where s.tenant = notebook_pads.tenant and s.pad_key = notebook_pads.pad_key) then 1 else 0 end as has_schemas`);

export type NewPad = Omit<PadRow, 'has_schemas' | 'namespace'>;

/** Nothing when the id was taken meanwhile. */
export const insertPad = (db: Writer, row: NewPad) =>
  db.run(sql`
    insert into notebook_pads (tenant, scratch_id, pad_key, namespace_key, title, description, summary, tags, cell_tags,
      metadata, cell_count, revision, created_at, updated_at, last_access_at)
    values (${db.tenant}, ${row.scratch_id}, ${row.pad_key}, ${row.namespace_key}, ${row.title}, ${row.description},
      ${row.summary}, ${row.tags}, ${row.cell_tags}, ${row.metadata}, ${row.cell_count}, ${row.revision},
      ${row.created_at}, ${row.updated_at}, ${db.now})
    on conflict do nothing`);

export const setCellTags = (db: Writer, scratchId: string, cellTags: string) =>
  db.run(sql`
    update notebook_pads set cell_tags = ${cellTags} where tenant = ${db.tenant} and scratch_id = ${scratchId}`);

export interface TotalsRow {
  readonly pads_count: number;
  readonly cells_count: number;
}

/** Kept beside the pads, so that no limit and no metric has to count them. */
export const addToTotals = (db: Writer, pads: number, cells: number) =>
  db.get(sql<TotalsRow>`
    insert into notebook_totals (tenant, pads_count, cells_count) values (${db.tenant}, ${pads}, ${cells})
    on conflict (tenant) do update set
      pads_count = notebook_totals.pads_count + excluded.pads_count,
      cells_count = notebook_totals.cells_count + excluded.cells_count
    returning pads_count, cells_count`);

export const findTotals = (db: Reader) =>
  db.get(sql<TotalsRow>`select pads_count, cells_count from notebook_totals where tenant = ${db.tenant}`);
