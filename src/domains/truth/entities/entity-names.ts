import type { Call } from '#kernel/call.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import { type EntityState, isMergedArray, parseState } from '../reducer/entity-state.ts';
import { truthLimits } from '../truth-limits.ts';
import { toDisplayName } from './display-name.ts';
import { findEntities } from './entity-store.ts';
import type { EntitiesDeps } from './load-entity.ts';

function valueIn(state: EntityState, field: string): unknown {
  const found = state.get(field);
  return found === undefined || isMergedArray(found) ? undefined : found.value;
}

/**
 * Names for people, by id; an unknown id has none. They come from the stored states, which may be older than the last
 * change of a schema: a name is not worth reducing all statements again.
 */
export function* displayNames(db: Reader, entityIds: readonly string[]): Work<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (entityIds.length === 0) return names;
  for (const { entity_id, canonical_name, state } of yield* findEntities(db, entityIds)) {
    const stored = parseState(state);
    names.set(
      entity_id,
      toDisplayName(canonical_name, (field) => valueIn(stored, field)),
    );
  }
  return names;
}

export const createEntityNames =
  ({ storage }: Pick<EntitiesDeps, 'storage'>) =>
  async (entityIds: readonly string[], call: Call): Promise<ReadonlyMap<string, string>> => {
    const names = new Map<string, string>();
    for (const ids of chunksOf([...new Set(entityIds)], truthLimits.rowBatchCount))
      for (const [id, name] of await storage.read(call, (db) => displayNames(db, ids))) names.set(id, name);
    return names;
  };
