import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import { findRoots, listGroup } from '../../entities/entity-store.ts';
import { currentState, expectRoot } from '../../entities/load-entity.ts';
import { toIso } from '../../iso-time.ts';
import { findPayload, findPayloads } from '../../payloads/payload-store.ts';
import { findRecordHeads } from '../../records/record-store.ts';
import { toStateView } from '../../reducer/entity-state.ts';
import type { SchemaDeps } from '../../schemas/schemas.ts';
import { toTimelineEvent } from '../../timeline/timeline-model.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { relationshipTypes } from '../../truth-vocabulary.ts';
import { type Neighborhood, type NeighborhoodInput, type NodeSource, toEdge } from '../relationship-model.ts';
import {
  findEntitySummaries,
  listEventsOf,
  listNewestObservations,
  listObservationsBySource,
  type ObservationHeadRow,
} from './graph-store.ts';
import { edgesAround } from './walk-related.ts';

interface Page<T> {
  readonly rows: readonly T[];
  readonly isCut: boolean;
}

const cutAt = <T>(rows: readonly T[], limit: number): Page<T> => ({
  rows: rows.slice(0, limit),
  isCut: rows.length > limit,
});

/** Several members of the group per statement. */
function* newestObservations(db: Reader, members: readonly string[], limit: number): Work<Page<ObservationHeadRow>> {
  const found: ObservationHeadRow[] = [];
  for (const chunk of chunksOf(members, truthLimits.subqueriesCount)) {
    found.push(...(yield* listNewestObservations(db, chunk, limit + 1)));
  }
  found.sort((a, b) => b.observed_at - a.observed_at || (a.observation_id < b.observation_id ? -1 : 1));
  return cutAt(found, limit);
}

function* groupBySource(db: Reader, observations: readonly ObservationHeadRow[]): Work<readonly NodeSource[]> {
  const bySource = new Map<string, ObservationHeadRow[]>();
  for (const row of observations) {
    const known = bySource.get(row.source_id);
    if (known === undefined) bySource.set(row.source_id, [row]);
    else known.push(row);
  }
  const idsOf = (kind: ObservationHeadRow['source_kind']) => [
    ...new Set(observations.filter(({ source_kind }) => source_kind === kind).map(({ source_id }) => source_id)),
  ];
  const payloadIds = idsOf('payload');
  const recordIds = idsOf('record');
  const payloads = payloadIds.length === 0 ? [] : yield* findPayloads(db, payloadIds);
  const records = recordIds.length === 0 ? [] : yield* findRecordHeads(db, recordIds);
  const payloadOf = new Map(payloads.map((payload) => [payload.payload_id, payload]));
  const recordOf = new Map(records.map((record) => [record.record_id, record]));
  return [...bySource].map(([id, rows]) => {
    const [newest] = rows as [ObservationHeadRow, ...ObservationHeadRow[]];
    const payload = payloadOf.get(id);
    const type = payload?.primary_type ?? recordOf.get(id)?.type;
    return {
      source_record_id: id,
      source_kind: newest.source_kind,
      ...(type !== undefined && { type }),
      ...(payload !== undefined && { capability_id: payload.capability_id }),
      observed_at: toIso(newest.observed_at),
      observation_ids: rows.map(({ observation_id }) => observation_id),
    };
  });
}

function* entitySummaries(db: Reader, ids: readonly string[]) {
  const heads = new Map((yield* findEntitySummaries(db, ids)).map((head) => [head.entity_id, head]));
  return ids.flatMap((id) => heads.get(id) ?? []);
}

function* aroundEntity(db: Reader, deps: SchemaDeps, { node_id, limit }: NeighborhoodInput): Work<Neighborhood> {
  const { root, redirectedFrom } = yield* expectRoot(db, node_id);
  const { state, schema } = yield* currentState(db, deps, root);
  const edges = yield* edgesAround(db, [root.entity_id], 'both', relationshipTypes, limit);
  const others = new Set(edges.rows.flatMap((row) => [row.source_root_id, row.target_root_id]));
  others.delete(root.entity_id);
  const members = (yield* listGroup(db, root.entity_id)).map(({ entity_id }) => entity_id);
  const observations = yield* newestObservations(db, members, limit);
  const sources = yield* groupBySource(db, observations.rows);
  const sourceIds = sources.map(({ source_record_id }) => source_record_id);
  const events = cutAt(yield* listEventsOf(db, sourceIds, members, limit + 1), limit);
  return {
    node: {
      node_type: 'entity',
      id: root.entity_id,
      type: root.entity_type,
      canonical_name: root.canonical_name,
      observation_count: root.observation_count,
      snapshot: toStateView(state, schema).snapshot,
      created_at: toIso(root.created_at),
    },
    entities: yield* entitySummaries(db, [...others]),
    relationships: edges.rows.map(toEdge),
    sources,
    events: events.rows.map(toTimelineEvent),
    truncated: edges.isCut || observations.isCut || events.isCut,
    ...(redirectedFrom !== undefined && { redirected_from: redirectedFrom }),
  };
}

/** A record or payload: a source of observations with its own id. */
function* aroundSource(db: Reader, { node_id, limit }: NeighborhoodInput): Work<Neighborhood> {
  const payload = yield* findPayload(db, node_id);
  const [record] = payload === undefined ? yield* findRecordHeads(db, [node_id]) : [];
  const source = payload ?? record;
  if (source === undefined) throw truthFaults.RECORD_NOT_FOUND({}, { field: 'node_id' });
  const observations = cutAt(yield* listObservationsBySource(db, node_id, limit + 1), limit);
  const observed = [...new Set(observations.rows.map(({ entity_id }) => entity_id))];
  const roots = [...new Set((yield* findRoots(db, observed)).map(({ root_id }) => root_id))].sort();
  const edges = yield* edgesAround(db, roots, 'both', relationshipTypes, limit);
  const events = cutAt(yield* listEventsOf(db, [node_id], observed, limit + 1), limit);
  return {
    node: {
      node_type: 'record',
      id: node_id,
      type: payload?.primary_type ?? record!.type,
      ...(payload !== undefined && { capability_id: payload.capability_id }),
      created_at: toIso(source.created_at),
    },
    entities: yield* entitySummaries(db, roots),
    relationships: edges.rows.map(toEdge),
    sources: yield* groupBySource(db, observations.rows),
    events: events.rows.map(toTimelineEvent),
    truncated: edges.isCut || observations.isCut || events.isCut,
  };
}

/** The number of statements does not depend on the size of the neighbourhood. */
export const readNeighborhood = (db: Reader, deps: SchemaDeps, input: NeighborhoodInput): Work<Neighborhood> =>
  input.node_type === 'entity' ? aroundEntity(db, deps, input) : aroundSource(db, input);
