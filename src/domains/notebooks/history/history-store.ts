import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { sql, values } from '#kernel/storage/sql.ts';
import type { CellRow } from '../pads/cell-store.ts';

export type ChangeAction = 'created' | 'replaced' | 'moved' | 'deleted' | 'restored';

/** What a cell said before a change; null if the change left its content as it was. */
type FormerCell = { readonly [Key in keyof Omit<CellRow, 'cell_id' | 'position' | 'revision'>]: CellRow[Key] | null };

export interface ChangeRow extends FormerCell {
  /** '' for the creation of a pad with its cells. */
  readonly cell_id: string;
  /** The revision of the pad after the change. */
  readonly number: number;
  readonly action: ChangeAction;
  readonly actor: string;
  readonly at: number;
  /** Of the cell before the change. */
  readonly position: number | null;
  /** Of a moved cell. */
  readonly new_position: number | null;
  /** The revision of the former content. */
  readonly version: number | null;
  /** Of everything that is kept of the former cell. */
  readonly kept_bytes: number;
}

const changeHash = defineRowHash<Omit<ChangeRow, 'content_bytes' | 'kept_bytes'>>(
  {
    table: 'notebook_cell_changes',
    columns: [
      ...['cell_id', 'number', 'action', 'actor', 'at', 'position', 'new_position', 'version', 'language', 'validate'],
      ...['tags', 'json_schema', 'metadata', 'content'],
    ],
  },
  ({ cell_id, number }) => `change ${number} of cell ${cell_id}`,
);

export type StoredChange = ChangeRow & Hashed;

const columns = sql`cell_id, number, action, actor, at, position, new_position, version, language, validate, tags,
  content_bytes, kept_bytes, json_schema, metadata`;

export const insertChanges = (db: Writer, padKey: string, rows: readonly ChangeRow[]) =>
  db.run(sql`
    insert into notebook_cell_changes (tenant, pad_key, cell_id, number, action, actor, at, position, new_position,
      version, language, validate, tags, content_bytes, kept_bytes, json_schema, metadata, content, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, padKey, row.cell_id, row.number, row.action, row.actor, row.at, row.position, row.new_position],
        ...[row.version, row.language, row.validate, row.tags, row.content_bytes, row.kept_bytes, row.json_schema],
        ...[row.metadata, row.content, changeHash.of(row)],
      ]),
    )}`);

/** The changes before `before`, newest first, of all cells or of one, with contents of at most `bytes`. */
export function* listChanges(
  db: Reader,
  padKey: string,
  { cellId, before, limit, bytes }: ChangePage,
): Work<readonly ChangeRow[]> {
  const rows = yield* db.all(sql<StoredChange>`
    select ${columns}, case when content_bytes <= ${bytes} then content end as content,
      case when content_bytes is null or content_bytes <= ${bytes} then row_hash end as row_hash
    from notebook_cell_changes where tenant = ${db.tenant} and pad_key = ${padKey}
      ${
        cellId === undefined
          ? sql`and (number, cell_id) < (${before.number}, ${before.cell_id})`
          : sql`and cell_id = ${cellId} and number < ${before.number}`
      }
    order by number desc, cell_id desc limit ${limit}`);
  for (const row of rows) if (row.content !== null || row.content_bytes === null) changeHash.check(row);
  return rows;
}

interface ChangePage {
  readonly cellId?: string | undefined;
  readonly before: Pick<ChangeRow, 'number' | 'cell_id'>;
  readonly limit: number;
  readonly bytes: number;
}

export const findChange = (db: Reader, padKey: string, cellId: string, number: number) =>
  changeHash.get(
    db,
    sql<StoredChange>`
    select ${columns}, content, row_hash from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and number = ${number}`,
  );

/** The next change of the cell that replaced or deleted its content. */
export const findNextChange = (db: Reader, padKey: string, cellId: string, number: number) =>
  db.get(sql<Pick<ChangeRow, 'number'>>`
    select number from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and number > ${number}
      and version is not null
    order by number limit 1`);

export const findVersion = (db: Reader, padKey: string, cellId: string, version: number) =>
  changeHash.get(
    db,
    sql<StoredChange>`
    select ${columns}, content, row_hash from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and version = ${version}
    order by number desc limit 1`,
  );

/** The newest former version that differs from the present cell. */
export const findNewestVersion = (db: Reader, padKey: string, cellId: string, present: CellRow | undefined) =>
  changeHash.get(
    db,
    sql<StoredChange>`
    select ${columns}, content, row_hash from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and version is not null
      ${
        present === undefined
          ? sql``
          : sql`and not (language = ${present.language} and validate = ${present.validate} and tags = ${present.tags}
              and coalesce(json_schema, '') = ${present.json_schema ?? ''} and metadata = ${present.metadata}
              and content = ${present.content})`
      }
    order by number desc limit 1`,
  );

export const findLastVersion = (db: Reader, padKey: string, cellId: string) =>
  db.get(sql<{ readonly version: number | null }>`
    select max(version) as version from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId}`);

export type Dropped = Pick<ChangeRow, 'kept_bytes'>;

/** All but the newest changes of a cell. */
export const dropOldChanges = (db: Writer, padKey: string, cellId: string, keptCount: number) =>
  db.all(sql<Dropped>`
    delete from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and number <= (
      select c.number from notebook_cell_changes c
      where c.tenant = ${db.tenant} and c.pad_key = ${padKey} and c.cell_id = ${cellId}
      order by c.number desc limit 1 offset ${keptCount})
    returning kept_bytes`);

/** The oldest former contents of the tenant. */
export const dropOldestContents = (db: Writer, limit: number) =>
  db.all(sql<Dropped>`
    delete from notebook_cell_changes
    where tenant = ${db.tenant} and kept_bytes > 0 and (pad_key, cell_id, number) in (
      select c.pad_key, c.cell_id, c.number from notebook_cell_changes c
      where c.tenant = ${db.tenant} and c.kept_bytes > 0 order by c.at limit ${limit})
    returning kept_bytes`);

export const findOldDeletion = (db: Reader, before: number) =>
  db.get(sql<{ readonly pad_key: string; readonly cell_id: string; readonly number: number }>`
    select pad_key, cell_id, number from notebook_cell_changes
    where tenant = ${db.tenant} and action = 'deleted' and at < ${before} order by at limit 1`);

export const dropChangesUpTo = (db: Writer, padKey: string, cellId: string, number: number) =>
  db.all(sql<Dropped>`
    delete from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and number <= ${number}
    returning kept_bytes`);

/**
 * Drops what a pad remembers of an earlier cell of the same id and what would be in the way: the numbers that a cell
 * brings along, and where the cell went when it left this pad before.
 */
export const dropObsoleteChanges = (db: Writer, padKey: string, cellId: string, fromKey: string) =>
  db.all(sql<Dropped>`
    delete from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId} and (
      (action = 'moved' and substr(metadata, 1, ${departure.length}) = ${departure})
      or number in (
        select c.number from notebook_cell_changes c
        where c.tenant = ${db.tenant} and c.pad_key = ${fromKey} and c.cell_id = ${cellId}))
    returning kept_bytes`);

/** The beginning of the metadata of the change in the pad that a cell left. */
const departure = '{"to_scratch_id":';

export const moveChanges = (db: Writer, padKey: string, cellId: string, toKey: string) =>
  db.run(sql`
    update notebook_cell_changes set pad_key = ${toKey}
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId}`);

/** The newest move of the cell from or to another pad. */
export const findTransfer = (db: Reader, scratchId: string, cellId: string) =>
  db.get(sql<{ readonly metadata: string }>`
    select c.metadata from notebook_pads p join notebook_cell_changes c on c.tenant = p.tenant and c.pad_key = p.pad_key
    where p.tenant = ${db.tenant} and p.scratch_id = ${scratchId} and c.cell_id = ${cellId}
      and c.action = 'moved' and c.metadata is not null
    order by c.number desc limit 1`);

export const dropChangesOfPad = (db: Writer, padKey: string, limit: number) =>
  db.all(sql<Dropped>`
    delete from notebook_cell_changes
    where tenant = ${db.tenant} and pad_key = ${padKey} and (cell_id, number) in (
      select c.cell_id, c.number from notebook_cell_changes c
      where c.tenant = ${db.tenant} and c.pad_key = ${padKey} order by c.cell_id, c.number limit ${limit})
    returning kept_bytes`);

/** The bytes of all former contents of the tenant. */
export const addToHistoryBytes = (db: Writer, bytes: number) =>
  db.get(sql<{ readonly history_bytes: number }>`
    insert into notebook_totals (tenant, pads_count, cells_count, history_bytes) values (${db.tenant}, 0, 0, ${bytes})
    on conflict (tenant) do update set history_bytes = notebook_totals.history_bytes + excluded.history_bytes
    returning history_bytes`);

export const findHistoryBytes = (db: Reader) =>
  db.get(sql<{ readonly history_bytes: number }>`
    select history_bytes from notebook_totals where tenant = ${db.tenant}`);

export const sumHistoryBytes = (db: Reader) =>
  db.get(sql<{ readonly counted: number; readonly stored: number }>`
    select cast(coalesce(sum(kept_bytes), 0) as bigint) as counted,
      coalesce((select history_bytes from notebook_totals t where t.tenant = ${db.tenant}), 0) as stored
    from notebook_cell_changes where tenant = ${db.tenant}`);

export const setHistoryBytes = (db: Writer, bytes: number) =>
  db.run(sql`update notebook_totals set history_bytes = ${bytes} where tenant = ${db.tenant}`);
