import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';
import { unionOf } from '../relationship-store.ts';
import type { SourcedPeriod } from './periods.ts';

/** `retract`: the period with this start does not hold, because its submission was retracted. */
export type StatementKind = 'state' | 'delete' | 'restore' | 'retract';

/** What was said about an edge, once. */
export interface StatementRow extends SourcedPeriod {
  readonly relationship_id: string;
  readonly statement_id: string;
  readonly kind: StatementKind;
  /** Order within one time of recording. */
  readonly position: number;
  readonly reason: string | null;
  readonly actor: string;
  readonly created_at: number;
}

export interface RecordedStatement extends StatementRow {
  /** When a later statement took its place; null: it counts. */
  readonly replaced_at: number | null;
}

type StoredStatement = RecordedStatement & Hashed;

const rowHash = defineRowHash<StatementRow>(
  {
    table: 'truth_relationship_statements',
    columns: [
      ...['relationship_id', 'statement_id', 'kind', 'position', 'source_kind', 'source_id', 'submission_id'],
      ...['effective_at', 'effective_until', 'at_chars', 'until_chars', 'metadata', 'reason', 'actor', 'created_at'],
    ],
  },
  ({ relationship_id }) => `a statement of relationship ${relationship_id}`,
);

const columns = sql`relationship_id, statement_id, kind, position, source_kind, source_id, submission_id, effective_at,
  effective_until, at_chars, until_chars, metadata, reason, actor, created_at, replaced_at, row_hash`;

/** All statements of these edges; unsorted. */
export const listStatements = (db: Reader, relationshipIds: readonly string[]) =>
  rowHash.all(
    db,
    sql<StoredStatement>`
    select ${columns} from truth_relationship_statements
    where tenant = ${db.tenant} and relationship_id in ${list(relationshipIds)}`,
  );

/** Edges with a statement of this submission. */
export const listEdgesOfSubmission = (db: Reader, submissionId: string) =>
  db.all(sql<Pick<StatementRow, 'relationship_id'>>`
    select distinct relationship_id from truth_relationship_statements
    where tenant = ${db.tenant} and submission_id = ${submissionId} and submission_id is not null
    order by relationship_id`);

/** The periods of these edges that hold at a time, as known at another; unsorted. */
export const listPeriodsAt = (db: Reader, relationshipIds: readonly string[], at: number, knownAt: number) =>
  rowHash.all(
    db,
    sql<StoredStatement>`
    select ${columns} from truth_relationship_statements
    where tenant = ${db.tenant} and relationship_id in ${list(relationshipIds)} and kind = 'state'
      and created_at <= ${knownAt} and (replaced_at is null or replaced_at > ${knownAt})
      and effective_at <= ${at} and (effective_until is null or effective_until > ${at})`,
  );

/** The newest periods of each edge as known at a time. */
export const listNewestPeriods = (db: Reader, relationshipIds: readonly string[], knownAt: number, limit: number) =>
  rowHash.all(
    db,
    sql<StoredStatement>`${unionOf(
      relationshipIds.map(
        (id) => sql`
          select * from (
            select ${columns} from truth_relationship_statements
            where tenant = ${db.tenant} and relationship_id = ${id} and kind = 'state'
              and created_at <= ${knownAt} and (replaced_at is null or replaced_at > ${knownAt})
            order by effective_at desc limit ${limit}) as part`,
      ),
    )}`,
  );

/** Inserts nothing for a statement that exists. */
export const insertStatements = (db: Writer, rows: readonly StatementRow[]) =>
  db.run(sql`
    insert into truth_relationship_statements (tenant, relationship_id, statement_id, kind, position, source_kind,
      source_id, submission_id, effective_at, effective_until, at_chars, until_chars, metadata, reason, actor,
      created_at, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.relationship_id, row.statement_id, row.kind, row.position, row.source_kind],
        ...[row.source_id, row.submission_id, row.effective_at, row.effective_until, row.at_chars, row.until_chars],
        ...[row.metadata, row.reason, row.actor, row.created_at, rowHash.of(row)],
      ]),
    )}
    on conflict do nothing`);

export const setReplacedAt = (
  db: Writer,
  { relationship_id, statement_id }: Pick<StatementRow, 'relationship_id' | 'statement_id'>,
  replacedAt: number | null,
) =>
  db.run(sql`
    update truth_relationship_statements set replaced_at = ${replacedAt}
    where tenant = ${db.tenant} and relationship_id = ${relationship_id} and statement_id = ${statement_id}`);

/** Only for forgetting: a statement never changes otherwise. */
export const setStatementTexts = (db: Writer, row: StatementRow) =>
  db.run(sql`
    update truth_relationship_statements set metadata = ${row.metadata}, reason = ${row.reason},
      row_hash = ${rowHash.of(row)}
    where tenant = ${db.tenant} and relationship_id = ${row.relationship_id} and statement_id = ${row.statement_id}`);
