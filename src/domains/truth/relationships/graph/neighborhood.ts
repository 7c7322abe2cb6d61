import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import { type EntityRow, findEntity, findRoots, listGroup } from '../../entities/entity-store.ts';
import { type AskedMoment, currentState, expectRoot, stateAt } from '../../entities/load-entity.ts';
import { toIso } from '../../iso-time.ts';
import { findPayload, findPayloads } from '../../payloads/payload-store.ts';
import { findRecordHeads } from '../../records/record-store.ts';
import { toStateView } from '../../reducer/entity-state.ts';
import type { SchemaDeps } from '../../schemas/schemas.ts';
import { toTimelineEvent } from '../../timeline/timeline-model.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { EdgeView } from '../edge-list-store.ts';
import { rootsKnownAt } from '../past-group-store.ts';
import { toView } from '../read-edges.ts';
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
function* newestObservations(
  db: Reader,
  members: readonly string[],
  knownAt: number,
  limit: number,
): Work<Page<ObservationHeadRow>> {
  const found: ObservationHeadRow[] = [];
  for (const chunk of chunksOf(members, truthLimits.subqueriesCount)) {
    found.push(...(yield* listNewestObservations(db, chunk, knownAt, limit + 1)));
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

interface NodeState {
  readonly root: EntityRow;
  readonly members: readonly string[];
  readonly snapshot: Neighborhood['node']['snapshot'];
  readonly observationCount: number;
}

function* nodeIn(db: Reader, deps: SchemaDeps, nodeId: string, view: EdgeView): Work<NodeState> {
  if (view.isNow && view.knownAt === undefined) {
    const { root } = yield* expectRoot(db, nodeId);
    const { state, schema } = yield* currentState(db, deps, root);
    const members = (yield* listGroup(db, root.entity_id)).map(({ entity_id }) => entity_id);
    return { root, members, snapshot: toStateView(state, schema).snapshot, observationCount: root.observation_count };
  }
  const moment = { ...(!view.isNow && { at: view.at }), asKnownAt: view.knownAt };
  const { state, schema, rootId, members, observationCount } = yield* stateAt(db, deps, nodeId, moment);
  const root = (yield* findEntity(db, rootId))!;
  return { root, members, snapshot: toStateView(state, schema).snapshot, observationCount };
}

function* aroundEntity(
  db: Reader,
  deps: SchemaDeps,
  { node_id, limit }: NeighborhoodInput,
  view: EdgeView,
): Work<Neighborhood> {
  const { root, members, snapshot, observationCount } = yield* nodeIn(db, deps, node_id, view);
  const knownAt = view.knownAt ?? Number.MAX_SAFE_INTEGER;
  const edges = yield* edgesAround(db, view, { rootIds: [root.entity_id], direction: 'both' }, limit);
  const others = new Set(edges.rows.flatMap((row) => [row.source_root_id, row.target_root_id]));
  others.delete(root.entity_id);
  const observations = yield* newestObservations(db, members, knownAt, limit);
  const sources = yield* groupBySource(db, observations.rows);
  const sourceIds = sources.map(({ source_record_id }) => source_record_id);
  const events = cutAt(yield* listEventsOf(db, sourceIds, members, knownAt, limit + 1), limit);
  return {
    node: {
      node_type: 'entity',
      id: root.entity_id,
      type: root.entity_type,
      canonical_name: root.canonical_name,
      observation_count: observationCount,
      snapshot,
      created_at: toIso(root.created_at),
    },
    entities: yield* entitySummaries(db, [...others]),
    relationships: edges.rows.map(toEdge),
    sources,
    events: events.rows.map(toTimelineEvent),
    truncated: edges.isCut || observations.isCut || events.isCut,
    ...(root.entity_id !== node_id && { redirected_from: node_id }),
  };
}

/** A record or payload: a source of observations with its own id. */
function* aroundSource(db: Reader, { node_id, limit }: NeighborhoodInput, view: EdgeView): Work<Neighborhood> {
  const payload = yield* findPayload(db, node_id);
  const [record] = payload === undefined ? yield* findRecordHeads(db, [node_id]) : [];
  const source = payload ?? record;
  if (source === undefined) throw truthFaults.RECORD_NOT_FOUND({}, { field: 'node_id' });
  const observations = cutAt(yield* listObservationsBySource(db, node_id, limit + 1), limit);
  const observed = [...new Set(observations.rows.map(({ entity_id }) => entity_id))];
  const rootIds =
    view.knownAt === undefined
      ? (yield* findRoots(db, observed)).map(({ root_id }) => root_id)
      : (yield* rootsKnownAt(db, observed, view.knownAt)).values();
  const roots = [...new Set(rootIds)].sort();
  const edges = yield* edgesAround(db, view, { rootIds: roots, direction: 'both' }, limit);
  const events = cutAt(yield* listEventsOf(db, [node_id], observed, Number.MAX_SAFE_INTEGER, limit + 1), limit);
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
export function* readNeighborhood(
  db: Reader,
  deps: SchemaDeps,
  input: NeighborhoodInput,
  asked: AskedMoment,
): Work<Neighborhood> {
  const view = yield* toView(db, asked);
  return yield* input.node_type === 'entity' ? aroundEntity(db, deps, input, view) : aroundSource(db, input, view);
}
