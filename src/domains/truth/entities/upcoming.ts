import type { Call } from '#kernel/call.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { showMoment } from '../iso-time.ts';
import type { Fields } from '../observations/observation.ts';
import { toStateView } from '../reducer/entity-state.ts';
import { truthLimits } from '../truth-limits.ts';
import type { UpcomingChange } from './entity-model.ts';
import { type EntityRow, findEntities } from './entity-store.ts';
import {
  type CurrentState,
  currentMoment,
  currentState,
  type EntitiesDeps,
  membersOf,
  type Reduction,
  reduceAsOf,
} from './load-entity.ts';
import { rawFragmentsOf } from './raw-fragments.ts';
import { shorten } from './search/show-found.ts';

/** Moments that are looked at, changes shown, and length of a value. */
const upcomingLimits = { momentsMaxCount: 3, changesCount: 5, valueChars: 200 } as const;

/** Of a list, what is new in it. */
function newIn(before: Json | undefined, after: Json): Json {
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const known = new Set((before as readonly Json[]).map((one) => canonicalJson(one)));
  const all = after as readonly Json[];
  const added = all.filter((one) => !known.has(canonicalJson(one)));
  return added.length === 0 ? all : added;
}

function* changesBetween(before: Fields, after: Fields, from: string): Generator<UpcomingChange> {
  for (const field of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [old, value] = [before[field], after[field]];
    if (value === undefined) yield { field, from };
    else if (old === undefined || canonicalJson(old) !== canonicalJson(value)) {
      const shown = shorten(newIn(old, value), upcomingLimits.valueChars);
      yield { field, ...(shown === undefined ? { value: '…' } : { value: shown }), from };
    }
  }
}

/** [TR103] What changes by itself: reduced at the next moments at which a statement begins or ends. */
export function* upcomingOf(
  db: Reader,
  { entity_id, observation_count }: Pick<EntityRow, 'entity_id' | 'observation_count'>,
  { state, schema, nextChangeAt }: CurrentState,
  raw: Fields,
): Work<readonly UpcomingChange[]> {
  if (nextChangeAt === null) return [];
  const { momentsMaxCount, changesCount } = upcomingLimits;
  // Each moment reads all observations.
  const momentsCount = observation_count > truthLimits.reducedPageCount ? 1 : momentsMaxCount;
  const members = yield* membersOf(db, entity_id);
  const upcoming: UpcomingChange[] = [];
  let before: Fields = { ...raw, ...toStateView(state, schema).snapshot };
  let at: number | null = nextChangeAt;
  for (let i = 0; i < momentsCount && at !== null && upcoming.length < changesCount; i += 1) {
    const then: Reduction = yield* reduceAsOf(db, members, schema, at);
    const rawThen = yield* rawFragmentsOf(db, members, schema, { at, knownAt: Number.MAX_SAFE_INTEGER });
    const after: Fields = { ...rawThen, ...toStateView(then.state, schema).snapshot };
    upcoming.push(...changesBetween(before, after, showMoment(at)));
    before = after;
    at = then.nextChangeAt;
  }
  return upcoming.slice(0, changesCount);
}

/** By entity, for a few of them; those without are left out. Most entities have none, which their rows say. */
export const createUpcoming =
  ({ storage, schemas }: Pick<EntitiesDeps, 'storage' | 'schemas'>) =>
  (entityIds: readonly string[], call: Call): Promise<ReadonlyMap<string, readonly UpcomingChange[]>> =>
    storage.read(call, function* (db) {
      const found = new Map<string, readonly UpcomingChange[]>();
      if (entityIds.length === 0) return found;
      for (const row of yield* findEntities(db, entityIds)) {
        if (row.next_change_at === null) continue;
        const current = yield* currentState(db, { schemas }, row);
        const members = yield* membersOf(db, row.entity_id);
        const raw = yield* rawFragmentsOf(db, members, current.schema, currentMoment(db, row));
        const upcoming = yield* upcomingOf(db, row, current, raw);
        if (upcoming.length > 0) found.set(row.entity_id, upcoming);
      }
      return found;
    });
