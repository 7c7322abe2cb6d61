import type { Reader, Work } from '#kernel/storage/port.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { currentState, reduceOwn } from '../entities/load-entity.ts';
import { printState } from '../reducer/entity-state.ts';
import { joinStates } from '../reducer/reducer.ts';
import type { GroupDeps } from './group-deps.ts';
import { listChildren, type ReducedEntity } from './merge-store.ts';

/**
 * An entity's row as its own observations and the rows of what is merged into it now make it. Those rows are reductions
 * already, so only the observations of this one entity are read.
 */
export function* reduceAgain(db: Reader, deps: GroupDeps, entity: EntityRow): Work<ReducedEntity> {
  const { entity_id } = entity;
  const schema = yield* deps.schemas.active(db, entity.entity_type);
  const own = yield* reduceOwn(db, entity_id, schema);
  let { state, observationCount, lastObservedAt, lastRecordedAt } = own;
  for (const child of yield* listChildren(db, entity_id)) {
    state = joinStates(state, (yield* currentState(db, deps, child)).state, schema);
    observationCount += child.observation_count;
    lastObservedAt = Math.max(lastObservedAt, child.last_observed_at);
    lastRecordedAt = Math.max(lastRecordedAt, child.last_recorded_at);
  }
  return {
    entity_id,
    observation_count: observationCount,
    last_observed_at: lastObservedAt,
    last_recorded_at: lastRecordedAt,
    schema_version: schema.version,
    state: printState(state),
  };
}
