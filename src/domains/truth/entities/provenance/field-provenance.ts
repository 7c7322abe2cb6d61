import type { Call } from '#kernel/call.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { disputesOf } from '../../contradictions/disputes.ts';
import { toIso } from '../../iso-time.ts';
import { findSubmissions, type SubmissionRow } from '../../payloads/submission-store.ts';
import { findRecord } from '../../records/record-store.ts';
import { contributorsOf, toStateView } from '../../reducer/entity-state.ts';
import { truthLimits } from '../../truth-limits.ts';
import { showTimes } from '../entity-model.ts';
import { currentState, type EntitiesDeps, expectRoot, membersOf, stateAt } from '../load-entity.ts';
import { findObservations, type ObservationRow } from '../observed-store.ts';
import { awaitCommits, toMoment } from '../read-snapshot.ts';
import { fieldMissing } from './field-missing.ts';
import type { FieldProvenance, SourceObservation } from './provenance-model.ts';
import { findSources, followRefs, type SourceWithRefs } from './provenance-sources.ts';
import { findInText } from './source-text.ts';

export interface FieldInput {
  readonly entity_id: string;
  readonly field: string;
}

export interface ProvenanceInput extends FieldInput {
  readonly at?: string | undefined;
  readonly as_known_at?: string | undefined;
}

const whoStated = (submission: SubmissionRow | undefined) =>
  submission === undefined
    ? {}
    : {
        ...(submission.agent_id === null ? {} : { agent_id: submission.agent_id }),
        ...(submission.actor === '' ? {} : { actor: submission.actor }),
        extractor_version: submission.extractor_version,
      };

const toSourceObservation = (row: ObservationRow, submission: SubmissionRow | undefined): SourceObservation => ({
  id: row.observation_id,
  source_record_id: row.source_id,
  observed_at: toIso(row.observed_at),
  specificity_score: row.specificity,
  source_priority: row.priority,
  source_kind: row.source_kind,
  role: row.role,
  ...showTimes(row),
  ...(row.source_kind === 'payload' ? { submission_id: row.submission_id } : {}),
  ...whoStated(submission),
});

/** A purged record leaves only its id and its observations. */
const purgedSource = (row: ObservationRow): SourceWithRefs => ({
  record: { id: row.source_id, type: row.source_kind, file_urls: [], created_at: toIso(row.created_at), deleted: true },
  refs: [],
});

/** The place of the value in the text that was read from a file. */
function* sourceText(db: Reader, row: ObservationRow, value: Json) {
  if (row.source_kind !== 'record') return {};
  const record = yield* findRecord(db, row.source_id);
  const found = record === undefined ? undefined : findInText(record.properties, value);
  return found === undefined ? {} : { source_text: found };
}

export function createFieldProvenance(deps: EntitiesDeps) {
  function* stateFor(db: Reader, input: ProvenanceInput) {
    const { entity_id, at, as_known_at } = input;
    if (at !== undefined || as_known_at !== undefined) {
      const past = yield* stateAt(db, deps, entity_id, toMoment(input, db.now));
      return { ...past, redirectedFrom: past.rootId === entity_id ? undefined : entity_id };
    }
    const { root, redirectedFrom } = yield* expectRoot(db, entity_id);
    const current = yield* currentState(db, deps, root);
    return { ...current, rootId: root.entity_id, members: yield* membersOf(db, root.entity_id), redirectedFrom };
  }

  function* trace(db: Reader, input: ProvenanceInput): Work<FieldProvenance> {
    const { field } = input;
    const { state, schema, rootId, members, redirectedFrom } = yield* stateFor(db, input);
    const { snapshot, provenance_all } = toStateView(state, schema);
    const value = Object.hasOwn(snapshot, field) ? snapshot[field] : undefined;
    const allIds = Object.hasOwn(provenance_all, field) ? provenance_all[field]! : [];
    if (value === undefined || allIds.length === 0)
      throw fieldMissing(field, Object.keys(snapshot), schema.entity_type);
    const ids = allIds.slice(0, truthLimits.contributorsCount);
    const contributors = contributorsOf(state);
    const observedAts = [...new Set(ids.map((id) => contributors.get(id)!.observedAt))];
    const found = yield* findObservations(db, members, observedAts, ids);
    const rows = new Map(found.map((row) => [row.observation_id, row]));
    const ordered = ids.map((id) => rows.get(id)!);
    const sources = yield* findSources(db, ordered);
    const submissionIds = [...new Set(ordered.map(({ submission_id }) => submission_id))];
    const submissions = new Map(
      (yield* findSubmissions(db, submissionIds)).map((submission) => [submission.submission_id, submission]),
    );
    const contributing = ordered.map((row) => ({
      row,
      observation: toSourceObservation(row, submissions.get(row.submission_id)),
      source: sources.get(row.source_id) ?? purgedSource(row),
    }));
    const [winner, ...others] = contributing;
    return {
      entity_id: rootId,
      ...(redirectedFrom === undefined ? {} : { redirected_from: redirectedFrom }),
      field,
      value,
      source_observation: winner!.observation,
      source_record: winner!.source.record,
      observed_at: toIso(winner!.row.observed_at),
      ...(yield* sourceText(db, winner!.row, value)),
      ...(yield* disputesOf(db, members, field, winner!.row, toMoment(input, db.now).asKnownAt)),
      contributing_observations: others.map(({ observation, source }) => ({
        ...observation,
        source_record: source.record,
      })),
      contributing_total: allIds.length,
      source_refs: yield* followRefs(
        db,
        contributing.map(({ source }) => source),
      ),
    };
  }

  return async function fieldProvenance(input: ProvenanceInput, call: Call): Promise<FieldProvenance> {
    await awaitCommits(deps, toMoment(input, deps.clock.now()), call);
    return deps.storage.read(call, (db) => trace(db, input));
  };
}
