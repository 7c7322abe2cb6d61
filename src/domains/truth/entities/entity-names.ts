import type { Call } from '#kernel/call.ts';
import { findEntityHeads } from './entity-store.ts';
import type { EntitiesDeps } from './load-entity.ts';

/** Names by id, in one statement; an unknown id has none. */
export const createEntityNames =
  ({ storage }: Pick<EntitiesDeps, 'storage'>) =>
  async (entityIds: readonly string[], call: Call): Promise<ReadonlyMap<string, string>> => {
    const heads = await storage.read(call, (db) => findEntityHeads(db, entityIds));
    return new Map(heads.map(({ entity_id, canonical_name }) => [entity_id, canonical_name]));
  };
