import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

export interface ConnectorRow {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  /** JSON. */
  readonly options: string;
  readonly secret: string | null;
  readonly cursor: string | null;
  readonly created_at: number;
  readonly synced_at: number | null;
}

export interface SyncRunRow {
  readonly id: string;
  readonly connector_id: string;
  readonly provider: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly page_limit: number;
  readonly pages_max: number;
  readonly pages: number;
  readonly added: number;
  readonly updated: number;
  readonly errors: number;
  /** JSON: the first problems. */
  readonly problems: string;
  readonly is_cancelled: number;
  /** JSON: code and message. */
  readonly error: string | null;
  readonly started_at: number;
  readonly completed_at: number | null;
}

export const insertConnector = (
  db: Writer,
  row: Pick<ConnectorRow, 'id' | 'provider' | 'name' | 'options' | 'secret'>,
) =>
  db.run(sql`
    insert into connectors (tenant, id, provider, name, options, secret, created_at)
    values (${db.tenant}, ${row.id}, ${row.provider}, ${row.name}, ${row.options}, ${row.secret}, ${db.now})`);

export const listConnectors = (db: Reader) =>
  db.all(sql<ConnectorRow>`
    select id, provider, name, options, secret, cursor, created_at, synced_at from connectors
    where tenant = ${db.tenant} order by created_at, id`);

export const findConnector = (db: Reader, id: string) =>
  db.get(sql<ConnectorRow>`
    select id, provider, name, options, secret, cursor, created_at, synced_at from connectors
    where tenant = ${db.tenant} and id = ${id}`);

export const deleteConnector = (db: Writer, id: string) =>
  db.run(sql`delete from connectors where tenant = ${db.tenant} and id = ${id}`);

export const deleteItems = (db: Writer, connectorId: string) =>
  db.run(sql`delete from connector_items where tenant = ${db.tenant} and connector_id = ${connectorId}`);

export const saveSecret = (db: Writer, id: string, secret: string) =>
  db.run(sql`update connectors set secret = ${secret} where tenant = ${db.tenant} and id = ${id}`);

export const saveCursor = (db: Writer, id: string, cursor: string | null) =>
  db.run(sql`update connectors set cursor = ${cursor} where tenant = ${db.tenant} and id = ${id}`);

export const noteSynced = (db: Writer, id: string) =>
  db.run(sql`update connectors set synced_at = ${db.now} where tenant = ${db.tenant} and id = ${id}`);

/** What a sync has brought in, and the hash of what it said then. */
export interface KnownItem {
  readonly item: string;
  readonly hash: string;
}

export const findKnownItems = (db: Reader, connectorId: string, items: readonly string[]) =>
  db.all(sql<KnownItem>`
    select item, hash from connector_items
    where tenant = ${db.tenant} and connector_id = ${connectorId} and item in ${list(items)}`);

export const saveKnownItems = (db: Writer, connectorId: string, items: readonly KnownItem[]) =>
  db.run(sql`
    insert into connector_items (tenant, connector_id, item, hash)
    values ${values(items.map(({ item, hash }) => [db.tenant, connectorId, item, hash]))}
    on conflict (tenant, connector_id, item) do update set hash = excluded.hash`);

/** Returns nothing if the connector has an open run. */
export const insertRun = (
  db: Writer,
  row: Pick<SyncRunRow, 'id' | 'connector_id' | 'provider' | 'page_limit' | 'pages_max'>,
) =>
  db.get(sql<{ id: string }>`
    insert into sync_runs (
      tenant, id, connector_id, provider, status, page_limit, pages_max, pages, added, updated, errors, problems,
      is_cancelled, started_at)
    values (
      ${db.tenant}, ${row.id}, ${row.connector_id}, ${row.provider}, 'pending', ${row.page_limit}, ${row.pages_max},
      0, 0, 0, 0, '[]', 0, ${db.now})
    on conflict (tenant, connector_id) where completed_at is null do nothing
    returning id`);

const runColumns = sql`
  id, connector_id, provider, status, page_limit, pages_max, pages, added, updated, errors, problems, is_cancelled,
  error, started_at, completed_at`;

export const findRun = (db: Reader, id: string) =>
  db.get(sql<SyncRunRow>`select ${runColumns} from sync_runs where tenant = ${db.tenant} and id = ${id}`);

export const findOpenRun = (db: Reader, connectorId: string) =>
  db.get(sql<SyncRunRow>`
    select ${runColumns} from sync_runs
    where tenant = ${db.tenant} and connector_id = ${connectorId} and completed_at is null`);

export const findLastRun = (db: Reader, connectorId: string) =>
  db.get(sql<SyncRunRow>`
    select ${runColumns} from sync_runs where tenant = ${db.tenant} and connector_id = ${connectorId}
    order by started_at desc, id desc limit 1`);

export const listOpenRuns = (db: Reader) =>
  db.all(sql<{ readonly id: string; readonly connector_id: string }>`
    select id, connector_id from sync_runs where tenant = ${db.tenant} and completed_at is null order by started_at, id`);

export const markRunning = (db: Writer, id: string) =>
  db.run(sql`
    update sync_runs set status = 'running' where tenant = ${db.tenant} and id = ${id} and completed_at is null`);

export const cancelRun = (db: Writer, id: string) =>
  db.run(sql`
    update sync_runs set is_cancelled = 1 where tenant = ${db.tenant} and id = ${id} and completed_at is null`);

/** Returns nothing if the run is over, or if another process has stored a page since. `pages` is the count before. */
export const saveProgress = (
  db: Writer,
  run: Pick<SyncRunRow, 'id' | 'pages' | 'added' | 'updated' | 'errors' | 'problems'>,
) =>
  db.get(sql<{ is_cancelled: number }>`
    update sync_runs set pages = pages + 1, added = ${run.added}, updated = ${run.updated}, errors = ${run.errors},
      problems = ${run.problems}
    where tenant = ${db.tenant} and id = ${run.id} and completed_at is null and pages = ${run.pages}
    returning is_cancelled`);

/** Returns 0 if the run is over, or if another process has stored a page since. */
export const endRun = (
  db: Writer,
  run: Pick<SyncRunRow, 'id' | 'pages' | 'error'> & { readonly status: 'completed' | 'failed' },
) =>
  db.run(sql`
    update sync_runs set status = ${run.status}, error = ${run.error}, completed_at = ${db.now}
    where tenant = ${db.tenant} and id = ${run.id} and completed_at is null and pages = ${run.pages}`);

export const endOpenRuns = (db: Writer, connectorId: string, error: string) =>
  db.run(sql`
    update sync_runs set status = 'failed', error = ${error}, completed_at = ${db.now}
    where tenant = ${db.tenant} and connector_id = ${connectorId} and completed_at is null`);
