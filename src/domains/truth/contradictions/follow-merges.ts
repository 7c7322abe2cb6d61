import type { Work, Writer } from '#kernel/storage/port.ts';
import { membersOf } from '../entities/load-entity.ts';
import { listGroupObservations } from '../entities/observed-store.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import { listOpenOfEntities } from './contradiction-store.ts';
import { closeAll, openContradictions, statementsOf } from './track-contradictions.ts';

const { knownContradictionsCount, mergedLookupsCount, mergedStatementsCount } = truthLimits;

/** [TR100] The statements of both entities count now. Compares the newest of the one that has fewer. */
export function* followMerge(
  db: Writer,
  deps: SchemaDeps,
  rootId: string,
  added: { readonly ids: readonly string[]; readonly isSmaller: boolean },
): Work<void> {
  const all = yield* membersOf(db, rootId);
  const ids = added.isSmaller ? added.ids : all.filter((id) => !added.ids.includes(id));
  const count = Math.min(mergedStatementsCount, Math.ceil(mergedLookupsCount / all.length));
  yield* openContradictions(db, deps, yield* listGroupObservations(db, ids, count, 0));
}

/** [TR100] Statements of two entities do not contradict each other; those that they hid may. */
export function* followUnmerge(
  db: Writer,
  deps: SchemaDeps,
  members: readonly string[],
  removed: readonly string[],
  actor: string,
): Work<void> {
  const open = yield* listOpenOfEntities(db, members, knownContradictionsCount);
  const split = open.filter(
    ({ entity_id, other_entity_id }) => removed.includes(entity_id) !== removed.includes(other_entity_id),
  );
  yield* closeAll(db, split, { closed_by: 'unmerge', closing_id: null, actor, reason: null });
  yield* openContradictions(db, deps, [...(yield* statementsOf(db, split)).values()]);
}
