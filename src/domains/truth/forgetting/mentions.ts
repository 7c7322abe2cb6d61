import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { findContradictions, setContradictionReason } from '../contradictions/contradiction-store.ts';
import { findCorrections, setCorrectionReason } from '../entities/observed-store.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import { findFile, setFileName } from '../files/file-store.ts';
import { lookupsOfName, writeLookups } from '../observations/derived-rows.ts';
import type { Fields } from '../observations/observation.ts';
import { findUncheckedPayloads, setPayloadContent } from '../payloads/payload-store.ts';
import {
  findRetractions,
  findUncheckedSubmissions,
  setRetractionReason,
  setSubmissionContent,
} from '../payloads/submission-store.ts';
import { parseFileUrls } from '../records/record.ts';
import { findStoredRecords } from '../records/record-store.ts';
import { recomputeEdges } from '../relationships/repair-edges.ts';
import { listStatements, setStatementTexts } from '../relationships/statements/statement-store.ts';
import { entityTopic, payloadTopic, recordTopic, submissionTopic } from '../truth-vocabulary.ts';
import { noteFiles } from './blank-sources.ts';
import {
  deleteIdentifiersOf,
  deleteMatchKeysOf,
  deleteTrashed,
  deleteUnshared,
  findNames,
  findStated,
  setName,
} from './forget-store.ts';
import { forgettingLimits } from './forgetting-limits.ts';
import { type MentionKind, type MentionRow, mentionKinds, mentionQueries } from './mention-store.ts';
import type { NameMatcher } from './names-in-text.ts';
import type { Removal, RemovalDeps } from './removal.ts';
import { changeStatements } from './remove-derived.ts';

export type Mentions = ReadonlyMap<MentionKind, readonly MentionRow[]>;

/** The letter of an escaped line break or tab in JSON would look like a part of the next word. */
const withoutEscapes = (text: string): string => text.replaceAll(/\\[bfnrt]/g, ' ');

/** Texts of this memory in which one of the names is left. */
export function* findMentions(db: Reader, names: NameMatcher): Work<Mentions> {
  const found = new Map<MentionKind, readonly MentionRow[]>();
  if (names.patterns.length === 0) return found;
  for (const kind of mentionKinds) {
    const rows = yield* mentionQueries[kind](db, names.patterns, forgettingLimits.mentionsCount);
    const real = rows.filter(({ text }) => names.isIn(withoutEscapes(text)));
    if (real.length > 0) found.set(kind, real);
  }
  return found;
}

type Remove = (
  db: Writer,
  deps: RemovalDeps,
  removal: Removal,
  names: NameMatcher,
  rows: readonly MentionRow[],
) => Work<void>;

const idsOf = (rows: readonly MentionRow[]): readonly string[] => [...new Set(rows.map(({ id }) => id))];
const cleanJson = (text: string, names: NameMatcher): string =>
  JSON.stringify(names.removeFrom(JSON.parse(text) as Json));
const cleanReason = (reason: string | null, names: NameMatcher): string | null =>
  reason === null ? null : names.remove(reason);

const removers: Readonly<Record<MentionKind, Remove>> = {
  *payload(db, _deps, removal, names, rows) {
    const payloads = yield* findUncheckedPayloads(db, idsOf(rows));
    yield* setPayloadContent(
      db,
      payloads.map((row) => ({
        ...row,
        body: cleanJson(row.body, names),
        source_refs: cleanJson(row.source_refs, names),
      })),
    );
    removal.items.push(...idsOf(rows).map((id) => ({ topic: payloadTopic, id })));
  },
  *submission(db, _deps, removal, names, rows) {
    const ids = new Set(idsOf(rows));
    const all = yield* findUncheckedSubmissions(db, [...new Set(rows.map(({ extra }) => extra))]);
    yield* setSubmissionContent(
      db,
      all
        .filter(({ submission_id }) => ids.has(submission_id))
        .map((row) => ({
          ...row,
          body: row.body === null ? null : cleanJson(row.body, names),
          source_refs: cleanJson(row.source_refs, names),
        })),
    );
    removal.items.push(...[...ids].map((id) => ({ topic: submissionTopic, id })));
  },
  *observation(db, deps, removal, names, rows) {
    const keys = rows.map(({ id, extra, at }) => ({ entity_id: extra, observed_at: at, observation_id: id }));
    const stated = yield* findStated(db, keys);
    yield* changeStatements(
      db,
      deps,
      removal,
      stated.map((before) => ({
        before,
        after: {
          ...before,
          fields: cleanJson(before.fields, names),
          raw_fragments: cleanJson(before.raw_fragments, names),
        },
      })),
    );
  },
  *entity(db, _deps, removal, names, rows) {
    const ids = idsOf(rows);
    yield* deleteIdentifiersOf(db, ids);
    yield* deleteUnshared(db, yield* deleteMatchKeysOf(db, ids));
    for (const { row_hash: _hash, ...row } of yield* findNames(db, ids)) {
      const renamed = { ...row, canonical_name: names.remove(row.canonical_name) };
      yield* setName(db, renamed);
      yield* writeLookups(db, [lookupsOfName(row.entity_type, row.entity_id, renamed.canonical_name)]);
      removal.affected.add(row.entity_id);
      removal.items.push({ topic: entityTopic, id: row.entity_id });
    }
  },
  /** The bytes of its files cannot be changed, so they are removed. */
  *record(db, { records }, removal, names, rows) {
    for (const row of yield* findStoredRecords(db, idsOf(rows))) {
      const properties = names.removeFrom(parseFields(row.properties)) as Fields;
      const isOfFile = Object.hasOwn(properties, 'document_kind');
      if (isOfFile) noteFiles(removal, parseFileUrls(row.file_urls));
      yield* records.writer.rewrite(db, row, properties, isOfFile ? [] : parseFileUrls(row.file_urls));
      removal.items.push({ topic: recordTopic, id: row.record_id });
    }
  },
  *trash(db, _deps, removal, _names, rows) {
    yield* deleteTrashed(db, recordTopic, idsOf(rows));
    removal.items.push(...idsOf(rows).map((id) => ({ topic: recordTopic, id })));
  },
  *correction(db, _deps, _removal, names, rows) {
    for (const row of yield* findCorrections(db, idsOf(rows))) {
      yield* setCorrectionReason(db, { ...row, reason: cleanReason(row.reason, names) });
    }
  },
  *retraction(db, _deps, _removal, names, rows) {
    for (const row of yield* findRetractions(db, idsOf(rows))) {
      yield* setRetractionReason(db, { ...row, reason: cleanReason(row.reason, names) });
    }
  },
  *relationship(db, _deps, _removal, names, rows) {
    for (const row of yield* listStatements(db, idsOf(rows))) {
      const metadata = row.metadata === null ? null : cleanJson(row.metadata, names);
      yield* setStatementTexts(db, { ...row, metadata, reason: cleanReason(row.reason, names) });
    }
    yield* recomputeEdges(db, idsOf(rows));
  },
  *contradiction(db, _deps, _removal, names, rows) {
    for (const row of yield* findContradictions(db, idsOf(rows))) {
      yield* setContradictionReason(db, { ...row, reason: cleanReason(row.reason, names) });
    }
  },
  *file(db, _deps, _removal, names, rows) {
    for (const { id, extra } of rows) {
      const row = yield* findFile(db, { bucket: extra, sha256: id });
      if (row !== undefined) yield* setFileName(db, { ...row, file_name: names.remove(row.file_name) });
    }
  },
};

export function* removeMentions(
  db: Writer,
  deps: RemovalDeps,
  removal: Removal,
  names: NameMatcher,
  mentions: Mentions,
): Work<void> {
  for (const [kind, rows] of mentions) yield* removers[kind](db, deps, removal, names, rows);
  if ((yield* findMentions(db, names)).size === 0) return;
  const { mentionsCount: limit } = forgettingLimits;
  throw faults.RESOURCE_LIMIT({ what: 'The number of texts that mention it', limit, unit: 'texts of one kind' });
}
