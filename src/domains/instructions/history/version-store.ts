import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

/** One version of an entry, as it was stored. */
export interface VersionRow {
  readonly id: string;
  /** From 1, without gaps. */
  readonly number: number;
  /** `found`: the state before the first recorded change. */
  readonly what: 'found' | 'create' | 'update' | 'delete';
  /** Of the entry, or, if it was deleted, of what it was before. */
  readonly etag: string;
  /** Null if the entry was deleted. */
  readonly document: string | null;
  /** Empty if unknown. */
  readonly author: string;
  readonly tool: string;
  readonly reason: string | null;
  readonly at: number;
  /** Who approved the proposal of the author; null for a change that needed no approval. */
  readonly approved_by: string | null;
  readonly proposal_id: string | null;
}

/** The author of a change on disk. */
export const fileAuthor = 'file';

const versionHash = defineRowHash<VersionRow>(
  {
    table: 'instruction_versions',
    columns: [
      ...['id', 'number', 'what', 'etag', 'document', 'author', 'tool', 'reason', 'at', 'approved_by', 'proposal_id'],
    ],
  },
  ({ id, number }) => `version ${number} of instruction ${id}`,
);

const columns = sql`id, number, what, etag, document, author, tool, reason, at, approved_by, proposal_id, row_hash`;

const insertVersions = (db: Writer, rows: readonly VersionRow[]) =>
  db.run(sql`
    insert into instruction_versions (tenant, ${columns}) values ${values(
      rows.map((row) => [
        ...[db.tenant, row.id, row.number, row.what, row.etag, row.document, row.author, row.tool, row.reason, row.at],
        ...[row.approved_by, row.proposal_id, versionHash.of(row)],
      ]),
    )}`);

const findNewest = (db: Reader, ids: readonly string[]) =>
  db.all(sql<Pick<VersionRow, 'id' | 'number' | 'what' | 'etag'>>`
    select id, number, what, etag from instruction_versions v
    where tenant = ${db.tenant} and id in ${list(ids)}
      and number = (select max(number) from instruction_versions where tenant = ${db.tenant} and id = v.id)`);

export interface NewVersion extends Pick<VersionRow, 'id' | 'what' | 'etag' | 'document'> {
  /** What is replaced, where it is at hand: it becomes the first version of an entry that has none. */
  readonly documentBefore?: string | undefined;
  readonly reason?: string | undefined;
  readonly approval?: Approval | undefined;
}

/** Of a proposal: its author is the author of the version, and the caller approved it. */
export interface Approval {
  readonly proposalId: string;
  readonly author: string;
}

type Recorded = Pick<VersionRow, 'what' | 'etag'>;

const isSame = (a: Recorded, b: Recorded): boolean =>
  a.etag === b.etag && (a.what === 'delete') === (b.what === 'delete');

/** In the transaction of the changes. Returns the number of each new version by id. */
export function* recordVersions(
  db: Writer,
  { actor, tool }: Pick<Call, 'actor' | 'tool'>,
  changes: readonly NewVersion[],
): Work<ReadonlyMap<string, number>> {
  if (changes.length === 0) return new Map();
  const known = yield* findNewest(
    db,
    changes.map(({ id }) => id),
  );
  const newest = new Map(known.map((version) => [version.id, version]));
  const rows = changes.flatMap((one): readonly VersionRow[] => {
    const { id, documentBefore, reason = null, approval, ...change } = one;
    const before = newest.get(id);
    // An imported entry came with its history.
    if (before !== undefined && isSame(before, change)) return [];
    const last = before?.number ?? 0;
    const isFirst = last === 0 && documentBefore !== undefined;
    const next: VersionRow = {
      ...{ id, ...change, tool, reason, at: db.now, number: last + (isFirst ? 2 : 1) },
      author: approval?.author ?? actor,
      approved_by: approval === undefined ? null : actor,
      proposal_id: approval?.proposalId ?? null,
    };
    if (!isFirst) return [next];
    const found = { document: documentBefore, etag: sha256Hex(documentBefore), author: '', tool: '', reason: null };
    return [{ ...next, number: 1, what: 'found', ...found, approved_by: null, proposal_id: null }, next];
  });
  yield* insertVersions(db, rows);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Of a change that was recorded but could not be made. Keeps it if another change followed: numbers have no gaps. */
export const dropVersion = (db: Writer, { id, number, etag }: Pick<VersionRow, 'id' | 'number' | 'etag'>) =>
  db.run(sql`
    delete from instruction_versions
    where tenant = ${db.tenant} and id = ${id} and number = ${number} and etag = ${etag}
      and number = (select max(number) from instruction_versions where tenant = ${db.tenant} and id = ${id})`);

/** Newest first, before a number. */
export const listVersions = (db: Reader, id: string, before: number, limit: number) =>
  versionHash.all(
    db,
    sql<VersionRow & Hashed>`
    select ${columns} from instruction_versions
    where tenant = ${db.tenant} and id = ${id} and number < ${before} order by number desc limit ${limit}`,
  );

export const findVersion = (db: Reader, id: string, number: number) =>
  versionHash.get(
    db,
    sql<VersionRow & Hashed>`
    select ${columns} from instruction_versions
    where tenant = ${db.tenant} and id = ${id} and number = ${number}`,
  );

/** The version that a change made: the one with its etag that is nearest in time. */
export const findVersionOfChange = (db: Reader, { id, etag, at }: Pick<VersionRow, 'id' | 'etag' | 'at'>) =>
  db.get(sql<Pick<VersionRow, 'number'>>`
    select number from instruction_versions where tenant = ${db.tenant} and id = ${id} and etag = ${etag}
    order by abs(at - ${at}), number desc limit 1`);

/** The last version of each entry. */
export const listNewestVersions = (db: Reader, ids: readonly string[]) =>
  db.all(sql<Pick<VersionRow, 'id' | 'document' | 'at'>>`
    select id, document, at from instruction_versions v
    where tenant = ${db.tenant} and id in ${list(ids)} and number = (
      select max(number) from instruction_versions w where w.tenant = v.tenant and w.id = v.id)`);

/** The last version before a removal. */
export interface RemovedRow extends VersionRow {
  readonly document: string;
  readonly removed_at: number;
  readonly removed_by: string;
}

/** Entries that are removed now, by id, except those that live on under another id and those removed by one tool. */
export const listRemoved = (db: Reader, exceptTool: string, after: string, limit: number) =>
  versionHash.all(
    db,
    sql<RemovedRow & Hashed>`
    select p.id, p.number, p.what, p.etag, p.document, p.author, p.tool, p.reason, p.at, p.approved_by, p.proposal_id,
      p.row_hash, v.at as removed_at, v.author as removed_by
    from instruction_versions v
    join instruction_versions p on p.tenant = v.tenant and p.id = v.id and p.number = v.number - 1
    where v.tenant = ${db.tenant} and v.what = 'delete' and v.tool <> ${exceptTool} and v.id > ${after}
      and p.document is not null
      and not exists (
        select 1 from instruction_versions w where w.tenant = v.tenant and w.id = v.id and w.number > v.number)
      and not exists (
        select 1 from instruction_origins o
        where o.tenant = v.tenant and o.id = v.id and o.number = v.number and o.renamed_to is not null)
    order by v.id limit ${limit}`,
  );

export const countVersions = (db: Reader, id: string) =>
  db.get(sql<{ readonly count: number }>`
    select max(number) as count from instruction_versions where tenant = ${db.tenant} and id = ${id}`);
