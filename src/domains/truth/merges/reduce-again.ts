import type { Reader, Work } from '#kernel/storage/port.ts';
import { entityLimits } from '../entities/entity-limits.ts';
import { currentState } from '../entities/load-entity.ts';
import { reduceRows } from '../entities/reduce-rows.ts';
import { type EntityRow, listReduced } from '../entities/store.ts';
import { emptyState, printState } from '../reducer/entity-state.ts';
import { joinStates } from '../reducer/reducer.ts';
import type { GroupDeps } from './group-deps.ts';
import { listChildren, type ReducedEntity } from './store.ts';

const always = { observedAt: Number.MAX_SAFE_INTEGER, recordedAt: Number.MAX_SAFE_INTEGER };

/**
 * An entity's row as its own observations and the rows of what is merged into it now make it. Those rows are reductions
 * already, so only the observations of this one entity are read.
 */
export function* reduceAgain(db: Reader, deps: GroupDeps, entity: EntityRow): Work<ReducedEntity> {
  const { entity_id } = entity;
  const schema = yield* deps.schemas.active(db, entity.entity_type);
  let state = emptyState;
  let count = 0;
  let lastObservedAt = Number.MIN_SAFE_INTEGER;
  let lastRecordedAt = Number.MIN_SAFE_INTEGER;
  let after = { observed_at: Number.MIN_SAFE_INTEGER, observation_id: '' };
  for (;;) {
    const rows = yield* listReduced(db, entity_id, always, after, entityLimits.reducedPageCount);
    state = reduceRows(state, rows, schema);
    for (const row of rows) {
      lastObservedAt = Math.max(lastObservedAt, row.observed_at);
      lastRecordedAt = Math.max(lastRecordedAt, row.created_at);
    }
    count += rows.length;
    if (rows.length < entityLimits.reducedPageCount) break;
    after = rows.at(-1)!;
  }
  for (const child of yield* listChildren(db, entity_id)) {
    state = joinStates(state, (yield* currentState(db, deps, child)).state, schema);
    count += child.observation_count;
    lastObservedAt = Math.max(lastObservedAt, child.last_observed_at);
    lastRecordedAt = Math.max(lastRecordedAt, child.last_recorded_at);
  }
  return {
    entity_id,
    observation_count: count,
    last_observed_at: lastObservedAt,
    last_recorded_at: lastRecordedAt,
    schema_version: schema.version,
    state: printState(state),
  };
}
