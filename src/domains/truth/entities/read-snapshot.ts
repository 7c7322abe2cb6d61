import { forgettingTopic } from '#kernel/audit/redact.ts';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createChangeTracker } from '#kernel/storage/change-tracker.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { readTime, toIso } from '../iso-time.ts';
import type { Fields } from '../observations/observation.ts';
import { toStateView } from '../reducer/entity-state.ts';
import { truthLimits } from '../truth-limits.ts';
import { settle } from '../truth-storage.ts';
import { entityTopic, schemaTopic } from '../truth-vocabulary.ts';
import type { EntitySnapshot, UpcomingChange } from './entity-model.ts';
import {
  type AskedMoment,
  currentMoment,
  currentState,
  type EntitiesDeps,
  expectRoot,
  membersOf,
  type Reduction,
  stateAt,
} from './load-entity.ts';
import { rawFragmentsOf } from './raw-fragments.ts';
import { createRecentSnapshots } from './recent-snapshots.ts';
import { upcomingOf } from './upcoming.ts';

export interface SnapshotInput {
  readonly entity_id: string;
  readonly at?: string | undefined;
  readonly as_known_at?: string | undefined;
}

/** [TR18] A date means its last millisecond. */
const toAt = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : readTime(text, 'at').end - 1;

/** A date that includes today means now. */
function toKnownAt(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const { from, end } = readTime(text, 'as_known_at');
  if (from > now) throw faults.VALIDATION_ERROR({ why: 'as_known_at is in the future' }, { field: 'as_known_at' });
  return Math.min(end - 1, now);
}

export const toMoment = ({ at, as_known_at }: Pick<SnapshotInput, 'at' | 'as_known_at'>, now: number): AskedMoment => ({
  at: toAt(at),
  asKnownAt: toKnownAt(as_known_at, now),
});

function toSnapshot(
  entityId: string,
  entityType: string,
  { state, schema, observationCount, lastObservedAt, lastRecordedAt }: Omit<Reduction, 'nextChangeAt'>,
  rawFragments: Fields,
  redirectedFrom: string | undefined,
  upcoming: readonly UpcomingChange[] = [],
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
    ...(upcoming.length === 0 ? {} : { upcoming }),
  };
}

interface CurrentSnapshot {
  readonly snapshot: EntitySnapshot;
  readonly nextChangeAt: number | null;
}

export function* readCurrent(db: Reader, deps: Pick<EntitiesDeps, 'schemas'>, entityId: string): Work<CurrentSnapshot> {
  const { root, redirectedFrom } = yield* expectRoot(db, entityId);
  const reduced = yield* currentState(db, deps, root);
  const members = yield* membersOf(db, root.entity_id);
  const moment = currentMoment(db, root);
  const raw = yield* rawFragmentsOf(db, members, reduced.schema, moment);
  const counts = {
    observationCount: root.observation_count,
    lastObservedAt: root.last_observed_at,
    lastRecordedAt: root.last_recorded_at,
  };
  const upcoming = yield* upcomingOf(db, root, reduced, raw);
  return {
    snapshot: toSnapshot(root.entity_id, root.entity_type, { ...reduced, ...counts }, raw, redirectedFrom, upcoming),
    nextChangeAt: reduced.nextChangeAt,
  };
}

function* readPast(
  db: Reader,
  deps: Pick<EntitiesDeps, 'schemas'>,
  entityId: string,
  asked: AskedMoment,
): Work<EntitySnapshot> {
  const past = yield* stateAt(db, deps, entityId, asked);
  const raw = yield* rawFragmentsOf(db, past.members, past.schema, past.moment);
  return toSnapshot(past.rootId, past.schema.entity_type, past, raw, past.rootId === entityId ? undefined : entityId);
}

/** [TR46] Otherwise the same question could get another answer later. */
export async function awaitCommits(
  { storage }: Pick<EntitiesDeps, 'storage'>,
  { asKnownAt }: AskedMoment,
  call: Call,
): Promise<void> {
  if (asKnownAt !== undefined) await settle(storage, call, asKnownAt);
}

export function createSnapshots(deps: EntitiesDeps) {
  const { storage, clock } = deps;
  const recent = createRecentSnapshots();
  const listener = {
    changed(tenant: Call['tenant'], { topic, id }: { readonly topic: string; readonly id: string }) {
      if (topic === entityTopic) recent.forget(tenant, id);
      // A new schema changes the snapshot of every entity of its type, and an import can change anything. The rows of
      // what was forgotten do not say which entity it was.
      else if (topic === schemaTopic || topic === 'import' || topic === forgettingTopic) recent.clear();
    },
    lost: () => recent.clear(),
  };
  const following = createChangeTracker(storage, listener, truthLimits);

  /** Undefined if the store must be read. */
  const cachedSnapshot = (entityId: string, { tenant }: Call): EntitySnapshot | undefined =>
    following.isCurrent(tenant) ? recent.peek(tenant, entityId, clock.now()) : undefined;

  async function loadCurrent(entityId: string, call: Call): Promise<EntitySnapshot> {
    const isFollowed = await following.catchUp(call.tenant);
    const known = isFollowed ? cachedSnapshot(entityId, call) : undefined;
    if (known !== undefined) return known;
    const mark = recent.mark();
    const { snapshot, nextChangeAt } = await storage.read(call, (db) => readCurrent(db, deps, entityId));
    if (isFollowed) recent.keep(call.tenant, entityId, { snapshot, nextChangeAt }, mark);
    return snapshot;
  }

  async function loadPast(input: SnapshotInput, call: Call): Promise<EntitySnapshot> {
    const asked = toMoment(input, clock.now());
    await awaitCommits(deps, asked, call);
    return storage.read(call, (db) => readPast(db, deps, input.entity_id, asked));
  }

  return function snapshot(input: SnapshotInput, call: Call): EntitySnapshot | Promise<EntitySnapshot> {
    const { entity_id, at, as_known_at } = input;
    if (at !== undefined || as_known_at !== undefined) return loadPast(input, call);
    return cachedSnapshot(entity_id, call) ?? loadCurrent(entity_id, call);
  };
}
