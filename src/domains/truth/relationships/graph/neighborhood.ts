import type { Reader, Work } from '#kernel/storage/port.ts';
import { listGroup } from '../../entities/entity-store.ts';
import { currentState, expectRoot } from '../../entities/load-entity.ts';
import { toIso } from '../../iso-time.ts';
import { showState } from '../../reducer/entity-state.ts';
import type { Schemas } from '../../schemas/schemas.ts';
import { toTimelineEvent } from '../../timeline/timeline-event.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { relationshipTypes } from '../../truth-vocabulary.ts';
import { type Neighborhood, type NeighborhoodInput, type NodeSource, toEdge } from '../relationship-model.ts';
import { findRoots } from '../relationship-store.ts';
import { chunksOf } from './chunks.ts';
import {
  findHeads,
  findPayloadSources,
  findRecordSources,
  listEventsOf,
  listSightings,
  listSightingsBySource,
  type SightingRow,
} from './graph-store.ts';
import { edgesAround } from './walk-related.ts';

export interface NeighborhoodDeps {
  readonly schemas: Pick<Schemas, 'active'>;
}

interface Page<T> {
  readonly rows: readonly T[];
  readonly isCut: boolean;
}

const cutAt = <T>(rows: readonly T[], limit: number): Page<T> => ({
  rows: rows.slice(0, limit),
  isCut: rows.length > limit,
});

/** Those of a whole group: a few of its members a statement. */
function* newestSightings(db: Reader, members: readonly string[], limit: number): Work<Page<SightingRow>> {
  const found: SightingRow[] = [];
  for (const chunk of chunksOf(members, truthLimits.armsCount)) {
    found.push(...(yield* listSightings(db, chunk, limit + 1)));
  }
  found.sort((a, b) => b.observed_at - a.observed_at || (a.observation_id < b.observation_id ? -1 : 1));
  return cutAt(found, limit);
}

/** Each source once, with the observations that came from it. */
function* showSources(db: Reader, sightings: readonly SightingRow[]): Work<readonly NodeSource[]> {
  const bySource = new Map<string, SightingRow[]>();
  for (const row of sightings) {
    const known = bySource.get(row.source_id);
    if (known === undefined) bySource.set(row.source_id, [row]);
    else known.push(row);
  }
  const idsOf = (kind: SightingRow['source_kind']) => [
    ...new Set(sightings.filter(({ source_kind }) => source_kind === kind).map(({ source_id }) => source_id)),
  ];
  const payloadIds = idsOf('payload');
  const recordIds = idsOf('record');
  const payloads = payloadIds.length === 0 ? [] : yield* findPayloadSources(db, payloadIds);
  const records = recordIds.length === 0 ? [] : yield* findRecordSources(db, recordIds);
  const typeOf = new Map([...payloads, ...records].map(({ source_id, type }) => [source_id, type]));
  const capabilityOf = new Map(payloads.map(({ source_id, capability_id }) => [source_id, capability_id]));
  return [...bySource].map(([id, rows]) => {
    const [newest] = rows as [SightingRow, ...SightingRow[]];
    const capability = capabilityOf.get(id);
    const type = typeOf.get(id);
    return {
      source_record_id: id,
      source_kind: newest.source_kind,
      ...(type !== undefined && { type }),
      ...(capability !== undefined && { capability_id: capability }),
      observed_at: toIso(newest.observed_at),
      observation_ids: rows.map(({ observation_id }) => observation_id),
    };
  });
}

function* showHeads(db: Reader, ids: readonly string[]) {
  const heads = new Map((yield* findHeads(db, ids)).map((head) => [head.entity_id, head]));
  return ids.flatMap((id) => heads.get(id) ?? []);
}

function* aroundEntity(db: Reader, deps: NeighborhoodDeps, { node_id, limit }: NeighborhoodInput): Work<Neighborhood> {
  const { root, redirectedFrom } = yield* expectRoot(db, node_id);
  const { state, schema } = yield* currentState(db, deps, root);
  const edges = yield* edgesAround(db, [root.entity_id], 'both', relationshipTypes, limit);
  const others = new Set(edges.rows.flatMap((row) => [row.source_root_id, row.target_root_id]));
  others.delete(root.entity_id);
  const members = (yield* listGroup(db, root.entity_id)).map(({ entity_id }) => entity_id);
  const sightings = yield* newestSightings(db, members, limit);
  const sources = yield* showSources(db, sightings.rows);
  const sourceIds = sources.map(({ source_record_id }) => source_record_id);
  const events = cutAt(yield* listEventsOf(db, sourceIds, members, limit + 1), limit);
  return {
    node: {
      node_type: 'entity',
      id: root.entity_id,
      type: root.entity_type,
      canonical_name: root.canonical_name,
      observation_count: root.observation_count,
      snapshot: showState(state, schema).snapshot,
      created_at: toIso(root.created_at),
    },
    entities: yield* showHeads(db, [...others]),
    relationships: edges.rows.map(toEdge),
    sources,
    events: events.rows.map(toTimelineEvent),
    truncated: edges.isCut || sightings.isCut || events.isCut,
    ...(redirectedFrom !== undefined && { redirected_from: redirectedFrom }),
  };
}

/** A record or a payload: whatever observations came from and keeps its own id. */
function* aroundSource(db: Reader, { node_id, limit }: NeighborhoodInput): Work<Neighborhood> {
  const [payload] = yield* findPayloadSources(db, [node_id]);
  const [record] = payload === undefined ? yield* findRecordSources(db, [node_id]) : [];
  const source = payload ?? record;
  if (source === undefined) throw truthFaults.RECORD_NOT_FOUND({}, { field: 'node_id' });
  const sightings = cutAt(yield* listSightingsBySource(db, node_id, limit + 1), limit);
  const observed = [...new Set(sightings.rows.map(({ entity_id }) => entity_id))];
  const roots = [...new Set((yield* findRoots(db, observed)).map(({ root_id }) => root_id))].sort();
  const edges = yield* edgesAround(db, roots, 'both', relationshipTypes, limit);
  const events = cutAt(yield* listEventsOf(db, [node_id], observed, limit + 1), limit);
  return {
    node: {
      node_type: 'record',
      id: node_id,
      type: source.type,
      ...(payload !== undefined && { capability_id: payload.capability_id }),
      created_at: toIso(source.created_at),
    },
    entities: yield* showHeads(db, roots),
    relationships: edges.rows.map(toEdge),
    sources: yield* showSources(db, sightings.rows),
    events: events.rows.map(toTimelineEvent),
    truncated: edges.isCut || sightings.isCut || events.isCut,
  };
}

/** What lies around one node: a handful of statements, however much that is. */
export const showNeighborhood = (db: Reader, deps: NeighborhoodDeps, input: NeighborhoodInput): Work<Neighborhood> =>
  input.node_type === 'entity' ? aroundEntity(db, deps, input) : aroundSource(db, input);
