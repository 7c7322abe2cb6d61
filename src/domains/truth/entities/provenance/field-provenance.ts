import type { Call } from '#kernel/call.ts';
import { toIso } from '../../iso-time.ts';
import { contributorsOf, toStateView } from '../../reducer/entity-state.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { currentState, type EntitiesDeps, expectRoot, membersOf } from '../load-entity.ts';
import { findObservations, type ObservationRow } from '../observed-store.ts';
import type { FieldProvenance, SourceObservation } from './provenance-model.ts';
import { findSources, followRefs, type SourceWithRefs } from './provenance-sources.ts';

export interface FieldInput {
  readonly entity_id: string;
  readonly field: string;
}

const toSourceObservation = (row: ObservationRow): SourceObservation => ({
  id: row.observation_id,
  source_record_id: row.source_id,
  observed_at: toIso(row.observed_at),
  specificity_score: row.specificity,
  source_priority: row.priority,
  source_kind: row.source_kind,
  role: row.role,
});

/** A purged record leaves only its id and its observations. */
const purgedSource = (row: ObservationRow): SourceWithRefs => ({
  record: { id: row.source_id, type: row.source_kind, file_urls: [], created_at: toIso(row.created_at), deleted: true },
  refs: [],
});

export function createFieldProvenance(deps: EntitiesDeps) {
  return function fieldProvenance({ entity_id, field }: FieldInput, call: Call): Promise<FieldProvenance> {
    return deps.storage.read(call, function* (db) {
      const { root, redirectedFrom } = yield* expectRoot(db, entity_id);
      const { state, schema } = yield* currentState(db, deps, root);
      const { snapshot, provenance_all } = toStateView(state, schema);
      const value = Object.hasOwn(snapshot, field) ? snapshot[field] : undefined;
      const allIds = Object.hasOwn(provenance_all, field) ? provenance_all[field]! : [];
      if (value === undefined || allIds.length === 0) throw truthFaults.FIELD_NOT_FOUND({}, { field });
      const ids = allIds.slice(0, truthLimits.contributorsCount);
      const contributors = contributorsOf(state);
      const observedAts = [...new Set(ids.map((id) => contributors.get(id)!.observedAt))];
      const found = yield* findObservations(db, yield* membersOf(db, root.entity_id), observedAts, ids);
      const rows = new Map(found.map((row) => [row.observation_id, row]));
      const ordered = ids.map((id) => rows.get(id)!);
      const sources = yield* findSources(db, ordered);
      const contributing = ordered.map((row) => ({ row, source: sources.get(row.source_id) ?? purgedSource(row) }));
      const [winner] = contributing;
      return {
        entity_id: root.entity_id,
        ...(redirectedFrom === undefined ? {} : { redirected_from: redirectedFrom }),
        field,
        value,
        source_observation: toSourceObservation(winner!.row),
        source_record: winner!.source.record,
        observed_at: toIso(winner!.row.observed_at),
        contributing_observations: contributing.map(({ row, source }) => ({
          ...toSourceObservation(row),
          source_record: source.record,
        })),
        contributing_total: allIds.length,
        source_refs: yield* followRefs(
          db,
          contributing.map(({ source }) => source),
        ),
      };
    });
  };
}
