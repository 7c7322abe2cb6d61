import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { newestTrash } from '#kernel/storage/trash.ts';
import { findEntities, listAncestors } from '../entities/entity-store.ts';
import { reduceGroup } from '../entities/load-entity.ts';
import type { ObservationRow } from '../entities/observed-store.ts';
import { setReduction } from '../merges/merge-store.ts';
import { observationsTotal } from '../observations/totals.ts';
import {
  findPayloadsByContent,
  findUncheckedPayloads,
  setPayloadContent,
  type WholePayloadRow,
} from '../payloads/payload-store.ts';
import { findSubmissions, findUncheckedSubmissions, type SubmissionRow } from '../payloads/submission-store.ts';
import { findRecord } from '../records/record-store.ts';
import { printState } from '../reducer/entity-state.ts';
import { recomputeEdges } from '../relationships/repair-edges.ts';
import { recordTopic, submissionTopic } from '../truth-vocabulary.ts';
import { removePayloads, removeRecords } from './blank-sources.ts';
import { removeEdges, removeEntityRows } from './forget-group.ts';
import {
  deleteContradictionsBetween,
  deleteObservations,
  deleteRetractions,
  deleteStatementsBy,
  deleteSubmissions,
  findUnstated,
  listEdgeSources,
  listEdgesOf,
  listEdgesStatedBy,
  listStatedBy,
} from './forget-store.ts';
import type { Removal, RemovalDeps } from './removal.ts';
import { noteContradictions, removeDerived } from './remove-derived.ts';
import type { ForgottenItem } from './tombstones.ts';

/** A payload with all its submissions, one of several submissions, or a record. */
export type Source =
  | { readonly kind: 'payload'; readonly payload: WholePayloadRow; readonly submissions: readonly SubmissionRow[] }
  | {
      readonly kind: 'submission';
      readonly payload: WholePayloadRow;
      readonly submission: SubmissionRow;
      readonly others: readonly SubmissionRow[];
    }
  | { readonly kind: 'record'; readonly recordId: string };

function* payloadSource(db: Reader, payloadId: string): Work<Source | undefined> {
  const [payload] = yield* findUncheckedPayloads(db, [payloadId]);
  if (payload === undefined) return undefined;
  return { kind: 'payload', payload, submissions: yield* findUncheckedSubmissions(db, [payloadId]) };
}

export function* expectSource(db: Reader, id: string): Work<Source> {
  const [submission] = yield* findSubmissions(db, [id]);
  if (submission !== undefined) {
    const whole = yield* payloadSource(db, submission.payload_id);
    if (whole?.kind === 'payload') {
      const others = whole.submissions.filter(({ submission_id }) => submission_id !== id);
      return others.length === 0 ? whole : { kind: 'submission', payload: whole.payload, submission, others };
    }
  }
  const [byContent] = yield* findPayloadsByContent(db, [id]);
  const payload = yield* payloadSource(db, byContent?.payload_id ?? id);
  if (payload !== undefined) return payload;
  const isRecord = (yield* findRecord(db, id)) !== undefined || (yield* newestTrash(db, recordTopic, id)) !== undefined;
  if (isRecord) return { kind: 'record', recordId: id };
  throw faults.NOT_FOUND(
    { what: 'payload, submission or record' },
    { field: 'id', fix: 'list_observations shows the sources of what is stated about an entity.' },
  );
}

/** Under which ids the source is not accepted again. A submission of several leaves its content known. */
export function tombstonesOf(source: Source): readonly ForgottenItem[] {
  if (source.kind === 'record') return [{ kind: 'record', value: source.recordId }];
  if (source.kind === 'submission') return [{ kind: 'submission', value: source.submission.submission_id }];
  const { payload, submissions } = source;
  return [
    { kind: 'payload', value: payload.payload_id },
    { kind: 'content', value: payload.content_id },
    ...submissions.map(({ submission_id }) => ({ kind: 'submission' as const, value: submission_id })),
  ];
}

/** One of several submissions. The body of the payload stays if another one sent the same. */
function* removeSubmission(
  db: Writer,
  removal: Removal,
  { payload, submission, others }: Extract<Source, { kind: 'submission' }>,
): Work<void> {
  const id = submission.submission_id;
  yield* deleteSubmissions(db, [id]);
  yield* deleteRetractions(db, [id]);
  removal.items.push({ topic: submissionTopic, id });
  removal.ids.add(id);
  removal.counts.submissions += 1;
  const isBodyUsed = submission.body !== null || others.some(({ body }) => body === null);
  if (isBodyUsed) return;
  removal.items.push({ topic: 'payload', id: payload.payload_id });
  yield* setPayloadContent(db, [{ ...payload, body: '{}', file_urls: '[]' }]);
  removal.blanked.push({ source_id: payload.payload_id, fields: Object.keys(JSON.parse(payload.body) as object) });
}

function* removeStatedEdges(db: Writer, removal: Removal, submissionIds: readonly string[]): Work<void> {
  const edgeIds = [...new Set((yield* listEdgesStatedBy(db, submissionIds)).map((row) => row.relationship_id))];
  if (edgeIds.length === 0) return;
  yield* deleteStatementsBy(db, submissionIds);
  const left = new Set((yield* listEdgeSources(db, edgeIds)).map((row) => row.relationship_id));
  yield* removeEdges(
    db,
    removal,
    edgeIds.filter((id) => !left.has(id)),
  );
  yield* recomputeEdges(db, [...left]);
}

/** The counts and times of the entities, which follow from fewer observations now. */
function* reduceAgain(db: Writer, deps: RemovalDeps, entityIds: readonly string[]): Work<void> {
  const above = (yield* listAncestors(db, entityIds)).map(({ entity_id }) => entity_id);
  for (const row of yield* findEntities(db, [...new Set([...entityIds, ...above])])) {
    const reduced = yield* reduceGroup(db, deps, row);
    yield* setReduction(db, {
      entity_id: row.entity_id,
      observation_count: reduced.observationCount,
      last_observed_at: reduced.lastObservedAt,
      last_recorded_at: reduced.lastRecordedAt,
      schema_version: reduced.schema.version,
      state: printState(reduced.state),
      next_change_at: reduced.nextChangeAt,
    });
  }
}

/** Removes the source whole, and entities that only it speaks of. */
export function* removeSource(db: Writer, deps: RemovalDeps, removal: Removal, source: Source): Work<void> {
  const sourceId = source.kind === 'record' ? source.recordId : source.payload.payload_id;
  const submissionIds =
    source.kind === 'record'
      ? [source.recordId]
      : source.kind === 'payload'
        ? source.submissions.map(({ submission_id }) => submission_id)
        : [source.submission.submission_id];
  const rows: readonly ObservationRow[] = (yield* listStatedBy(db, [sourceId])).filter((row) =>
    submissionIds.includes(row.submission_id),
  );
  yield* removeStatedEdges(db, removal, submissionIds);
  yield* deleteObservations(db, rows);
  yield* removeDerived(
    db,
    deps,
    removal,
    rows.map((before) => ({ before })),
  );
  const observationIds = rows.map(({ observation_id }) => observation_id);
  for (const id of observationIds) removal.ids.add(id);
  noteContradictions(removal, yield* deleteContradictionsBetween(db, observationIds, undefined));
  removal.counts.observations += rows.length;
  if (rows.length > 0) removal.tally.add(observationsTotal, '', -rows.length);
  if (source.kind === 'record') yield* removeRecords(db, deps, removal, [source.recordId]);
  else if (source.kind === 'payload') yield* removePayloads(db, removal, [source.payload], source.submissions);
  else yield* removeSubmission(db, removal, source);
  const spokenOf = [...new Set(rows.map(({ entity_id }) => entity_id))];
  const unstated = (yield* findUnstated(db, spokenOf)).map(({ entity_id }) => entity_id);
  for (const id of unstated) {
    const edges = yield* listEdgesOf(db, id);
    for (const edge of edges) for (const end of [edge.source_root_id, edge.target_root_id]) removal.affected.add(end);
    yield* removeEdges(
      db,
      removal,
      edges.map(({ relationship_id }) => relationship_id),
    );
  }
  yield* removeEntityRows(db, deps, removal, unstated);
  yield* reduceAgain(
    db,
    deps,
    spokenOf.filter((id) => !unstated.includes(id)),
  );
}
