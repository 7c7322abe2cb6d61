import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import { toIso } from '../iso-time.ts';
import { truthPageLimits } from '../page-limits.ts';
import { truthLimits } from '../truth-limits.ts';
import type { Answer } from './entity-model.ts';
import { type EntitiesDeps, expectRoot, membersOf } from './load-entity.ts';
import { listNewestTimes, type TimesRow } from './observed-store.ts';

const moment = z.object({ at: z.string(), statements: z.int() });

export const entityMoments = z.object({
  entity_id: z.string(),
  redirected_from: z.string().optional(),
  effective: z.array(moment).describe('When a statement begins or ends to hold, newest first: values for `at`'),
  recorded: z.array(moment).describe('When one was recorded or retracted, newest first: values for `as_known_at`'),
  truncated: z.literal(true).optional().describe('There are earlier ones'),
});
export type EntityMoments = Answer<typeof entityMoments>;

function countMoments(times: readonly (number | null)[]) {
  const counts = new Map<number, number>();
  for (const at of times) if (at !== null) counts.set(at, (counts.get(at) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => b - a);
}

type Counted = ReturnType<typeof countMoments>;
const show = (counted: Counted) =>
  counted.slice(0, truthPageLimits.momentsCount).map(([at, statements]) => ({ at: toIso(at), statements }));

/** [TR89] The times of the newest observations; the number that is read does not depend on the entity. */
export function createMoments({ storage }: Pick<EntitiesDeps, 'storage'>) {
  function* read(db: Reader, entityId: string): Work<EntityMoments> {
    const { root, redirectedFrom } = yield* expectRoot(db, entityId);
    const rows: TimesRow[] = [];
    for (const some of chunksOf(yield* membersOf(db, root.entity_id), truthLimits.subqueriesCount)) {
      rows.push(...(yield* listNewestTimes(db, some, truthPageLimits.momentRowsCount)));
    }
    const effective = countMoments(
      rows.flatMap(({ effective_at, effective_until }) => [effective_at, effective_until]),
    );
    const recorded = countMoments(rows.flatMap(({ created_at, retracted_at }) => [created_at, retracted_at]));
    const isCut =
      rows.length < root.observation_count ||
      Math.max(effective.length, recorded.length) > truthPageLimits.momentsCount;
    return {
      entity_id: root.entity_id,
      ...(redirectedFrom === undefined ? {} : { redirected_from: redirectedFrom }),
      effective: show(effective),
      recorded: show(recorded),
      ...(isCut && { truncated: true }),
    };
  }

  return ({ entity_id }: { readonly entity_id: string }, call: Call): Promise<EntityMoments> =>
    storage.read(call, (db) => read(db, entity_id));
}
