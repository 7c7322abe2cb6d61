import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createChangeTracker } from '#kernel/storage/change-tracker.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { readTime, toIso } from '../iso-time.ts';
import type { Fields } from '../observations/observation.ts';
import { toStateView } from '../reducer/entity-state.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityTopic, schemaTopic } from '../truth-vocabulary.ts';
import type { EntitySnapshot } from './entity-model.ts';
import {
  currentState,
  type EntitiesDeps,
  expectRoot,
  type Moment,
  membersOf,
  type Reduction,
  rawFragmentsOf,
  stateAt,
} from './load-entity.ts';
import { createRecentSnapshots } from './recent-snapshots.ts';

export interface SnapshotInput {
  readonly entity_id: string;
  readonly at?: string | undefined;
  readonly as_known_at?: string | undefined;
}

/** [TR18] */
function toMoment(text: string | undefined, field: string, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = readTime(text, field).end - 1;
  if (ms > now) throw faults.VALIDATION_ERROR({ why: `${field} is in the future` }, { field });
  return ms;
}

function toSnapshot(
  entityId: string,
  entityType: string,
  { state, schema, observationCount, lastObservedAt, lastRecordedAt }: Reduction,
  rawFragments: Fields,
  redirectedFrom: string | undefined,
): EntitySnapshot {
  const { snapshot, provenance, provenance_all } = toStateView(state, schema);
  return {
    entity_id: entityId,
    entity_type: entityType,
    schema_version: schema.version,
    snapshot,
    provenance,
    provenance_all,
    computed_at: toIso(lastRecordedAt),
    observation_count: observationCount,
    last_observation_at: toIso(lastObservedAt),
    ...(redirectedFrom === undefined ? {} : { redirected_from: redirectedFrom }),
    ...(Object.keys(rawFragments).length === 0 ? {} : { raw_fragments: rawFragments }),
  };
}

export function* readCurrent(db: Reader, deps: Pick<EntitiesDeps, 'schemas'>, entityId: string): Work<EntitySnapshot> {
  const { root, redirectedFrom } = yield* expectRoot(db, entityId);
  const reduced = yield* currentState(db, deps, root);
  const members = yield* membersOf(db, root.entity_id);
  const raw = yield* rawFragmentsOf(db, members, reduced.schema);
  const counts = {
    observationCount: root.observation_count,
    lastObservedAt: root.last_observed_at,
    lastRecordedAt: root.last_recorded_at,
  };
  return toSnapshot(root.entity_id, root.entity_type, { ...reduced, ...counts }, raw, redirectedFrom);
}

function* readPast(
  db: Reader,
  deps: Pick<EntitiesDeps, 'schemas'>,
  entityId: string,
  moment: Moment,
): Work<EntitySnapshot> {
  const past = yield* stateAt(db, deps, entityId, moment);
  const raw = yield* rawFragmentsOf(db, past.members, past.schema, past.until);
  return toSnapshot(past.rootId, past.schema.entity_type, past, raw, past.rootId === entityId ? undefined : entityId);
}

export function createSnapshots(deps: EntitiesDeps) {
  const { storage, clock } = deps;
  const recent = createRecentSnapshots();
  const listener = {
    changed(tenant: Call['tenant'], { topic, id }: { readonly topic: string; readonly id: string }) {
      if (topic === entityTopic) recent.forget(tenant, id);
      // A new schema changes the snapshot of every entity of its type, and an import can change anything.
      else if (topic === schemaTopic || topic === 'import') recent.clear();
    },
    lost: () => recent.clear(),
  };
  const following = createChangeTracker(storage, listener, truthLimits);

  /** Undefined if the store must be read. */
  const cachedSnapshot = (entityId: string, { tenant }: Call): EntitySnapshot | undefined =>
    following.isCurrent(tenant) ? recent.peek(tenant, entityId) : undefined;

  async function loadCurrent(entityId: string, call: Call): Promise<EntitySnapshot> {
    const isFollowed = await following.catchUp(call.tenant);
    const known = isFollowed ? cachedSnapshot(entityId, call) : undefined;
    if (known !== undefined) return known;
    const mark = recent.mark();
    const snapshot = await storage.read(call, (db) => readCurrent(db, deps, entityId));
    if (isFollowed) recent.keep(call.tenant, entityId, snapshot, mark);
    return snapshot;
  }

  async function loadPast(input: SnapshotInput, call: Call): Promise<EntitySnapshot> {
    const now = clock.now();
    const moment: Moment = {
      at: toMoment(input.at, 'at', now),
      asKnownAt: toMoment(input.as_known_at, 'as_known_at', now),
    };
    return storage.read(call, (db) => readPast(db, deps, input.entity_id, moment));
  }

  return function snapshot(input: SnapshotInput, call: Call): EntitySnapshot | Promise<EntitySnapshot> {
    const { entity_id, at, as_known_at } = input;
    if (at !== undefined || as_known_at !== undefined) return loadPast(input, call);
    return cachedSnapshot(entity_id, call) ?? loadCurrent(entity_id, call);
  };
}
