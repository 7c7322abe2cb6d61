import type { Reader } from '#kernel/storage/port.ts';
import { joined, type Sql, sql } from '#kernel/storage/sql.ts';

/** Where a text can mention a name. `id` names the row, `extra` the rest of its key. */
export interface MentionRow {
  readonly id: string;
  readonly extra: string;
  readonly at: number;
  readonly text: string;
}

const isLike = (column: Sql, patterns: readonly string[]): Sql =>
  sql`(${joined(
    patterns.map((pattern) => sql`lower(${column}) like ${pattern}`),
    ' or ',
  )})`;

type FindMentions = (db: Reader, patterns: readonly string[], limit: number) => ReturnType<typeof all>;
const all = (db: Reader, query: Sql<MentionRow>) => db.all(query);

/** Each reads all rows of the tenant. */
export const mentionQueries = {
  payload: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select payload_id as id, '' as extra, created_at as at, body || ' ' || source_refs as text from truth_payloads
      where tenant = ${db.tenant} and (${isLike(sql`body`, patterns)} or ${isLike(sql`source_refs`, patterns)})
      order by payload_id limit ${limit}`,
    ),
  submission: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select submission_id as id, payload_id as extra, created_at as at,
        coalesce(body, '') || ' ' || source_refs as text from truth_submissions
      where tenant = ${db.tenant} and (${isLike(sql`body`, patterns)} or ${isLike(sql`source_refs`, patterns)})
      order by submission_id limit ${limit}`,
    ),
  observation: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select observation_id as id, entity_id as extra, observed_at as at, fields || ' ' || raw_fragments as text
      from truth_observations
      where tenant = ${db.tenant} and (${isLike(sql`fields`, patterns)} or ${isLike(sql`raw_fragments`, patterns)})
      order by entity_id, observed_at, observation_id limit ${limit}`,
    ),
  entity: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select entity_id as id, entity_type as extra, created_at as at, canonical_name as text from truth_entities
      where tenant = ${db.tenant} and ${isLike(sql`canonical_name`, patterns)} order by entity_id limit ${limit}`,
    ),
  record: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select record_id as id, type as extra, created_at as at, properties as text from truth_records
      where tenant = ${db.tenant} and ${isLike(sql`properties`, patterns)} order by record_id limit ${limit}`,
    ),
  trash: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select id, topic as extra, at, document as text from trash
      where tenant = ${db.tenant} and topic = 'record' and ${isLike(sql`document`, patterns)}
      order by id, at limit ${limit}`,
    ),
  correction: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select correction_id as id, entity_id as extra, created_at as at, coalesce(reason, '') as text
      from truth_corrections where tenant = ${db.tenant} and ${isLike(sql`reason`, patterns)}
      order by correction_id limit ${limit}`,
    ),
  retraction: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select target_id as id, '' as extra, created_at as at, coalesce(reason, '') as text
      from truth_retractions where tenant = ${db.tenant} and ${isLike(sql`reason`, patterns)}
      order by target_id limit ${limit}`,
    ),
  relationship: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select relationship_id as id, statement_id as extra, created_at as at,
        coalesce(metadata, '') || ' ' || coalesce(reason, '') as text
      from truth_relationship_statements
      where tenant = ${db.tenant} and (${isLike(sql`metadata`, patterns)} or ${isLike(sql`reason`, patterns)})
      order by relationship_id, statement_id limit ${limit}`,
    ),
  contradiction: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select contradiction_id as id, '' as extra, opened_at as at, coalesce(reason, '') as text
      from truth_contradictions where tenant = ${db.tenant} and ${isLike(sql`reason`, patterns)}
      order by contradiction_id, opened_at limit ${limit}`,
    ),
  file: (db, patterns, limit) =>
    all(
      db,
      sql<MentionRow>`
      select sha256 as id, bucket as extra, created_at as at, file_name as text from truth_files
      where tenant = ${db.tenant} and ${isLike(sql`file_name`, patterns)} order by bucket, sha256 limit ${limit}`,
    ),
} satisfies Record<string, FindMentions>;

export type MentionKind = keyof typeof mentionQueries;
export const mentionKinds = Object.keys(mentionQueries) as readonly MentionKind[];
