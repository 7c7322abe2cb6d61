import type { Call } from '#kernel/call.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { disputesOf } from '../../contradictions/disputes.ts';
import { toIso } from '../../iso-time.ts';
import { findRecord } from '../../records/record-store.ts';
import { contributorsOf, toStateView } from '../../reducer/entity-state.ts';
import { truthLimits } from '../../truth-limits.ts';
import { showTimes } from '../entity-model.ts';
import { currentMoment, currentState, type EntitiesDeps, expectRoot, membersOf, stateAt } from '../load-entity.ts';
import { findObservations, type ObservationRow } from '../observed-store.ts';
import { awaitCommits, toMoment } from '../read-snapshot.ts';
import { fieldMissing } from './field-missing.ts';
import type { FieldProvenance, SourceObservation, StatedBy } from './provenance-model.ts';
import { followRefs } from './provenance-sources.ts';
import { findInText } from './source-text.ts';
import { findOrigins } from './statement-origins.ts';

export interface FieldInput {
  readonly entity_id: string;
  readonly field: string;
}

export interface ProvenanceInput extends FieldInput {
  readonly at?: string | undefined;
  readonly as_known_at?: string | undefined;
}

const toSourceObservation = (row: ObservationRow, statedBy: StatedBy): SourceObservation => ({
  id: row.observation_id,
  source_record_id: row.source_id,
  observed_at: toIso(row.observed_at),
  specificity_score: row.specificity,
  source_priority: row.priority,
  source_kind: row.source_kind,
  role: row.role,
  ...showTimes(row),
  ...(row.source_kind === 'payload' ? { submission_id: row.submission_id } : {}),
  ...statedBy,
});

/** The place of the value in the text that was read from a file. */
function* sourceText(db: Reader, row: ObservationRow, value: Json) {
  if (row.source_kind !== 'record') return {};
  const record = yield* findRecord(db, row.source_id);
  const found = record === undefined ? undefined : findInText(record.properties, value);
  return found === undefined ? {} : { source_text: found };
}

/** The state that is asked about, with the entities it comes from. */
export function* stateFor(db: Reader, deps: EntitiesDeps, input: Omit<ProvenanceInput, 'field'>) {
  const { entity_id, at, as_known_at } = input;
  if (at !== undefined || as_known_at !== undefined) {
    const past = yield* stateAt(db, deps, entity_id, toMoment(input, db.now));
    return { ...past, redirectedFrom: past.rootId === entity_id ? undefined : entity_id };
  }
  const { root, redirectedFrom } = yield* expectRoot(db, entity_id);
  const current = yield* currentState(db, deps, root);
  return {
    ...{ ...current, rootId: root.entity_id, members: yield* membersOf(db, root.entity_id), redirectedFrom },
    moment: currentMoment(db, root),
    observationCount: root.observation_count,
    lastObservedAt: root.last_observed_at,
  };
}

export function createFieldProvenance(deps: EntitiesDeps) {
  function* trace(db: Reader, input: ProvenanceInput): Work<FieldProvenance> {
    const { field } = input;
    const { state, schema, rootId, members, redirectedFrom } = yield* stateFor(db, deps, input);
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
    const origins = yield* findOrigins(db, ordered);
    const contributing = ordered.map((row) => {
      const { source, statedBy } = origins.get(row.observation_id)!;
      return { row, source, observation: toSourceObservation(row, statedBy) };
    });
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
