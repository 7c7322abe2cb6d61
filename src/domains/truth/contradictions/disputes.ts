import type { Reader, Work } from '#kernel/storage/port.ts';
import type { ObservationRow } from '../entities/observed-store.ts';
import { truthLimits } from '../truth-limits.ts';
import { type ContradictionRow, listOfEntities } from './contradiction-store.ts';
import { areOverlapping, startOf } from './disagreement.ts';
import { statementsOf, toDisagreement } from './track-contradictions.ts';

/** As it was known at a time; undefined: now. */
export const isOpenAt = ({ opened_at, closed_at }: ContradictionRow, knownAt: number | undefined): boolean =>
  knownAt === undefined ? closed_at === null : opened_at <= knownAt && (closed_at === null || closed_at > knownAt);

/** [TR101] Contradictions about the time for which the statement that is shown was made. A later one is not disputed. */
export function* disputesOf(
  db: Reader,
  members: readonly string[],
  field: string,
  shown: ObservationRow,
  knownAt: number | undefined,
): Work<{ readonly disputed_in?: readonly string[] }> {
  const rows = yield* listOfEntities(db, members, truthLimits.knownContradictionsCount);
  const open = rows.filter((row) => row.field === field && isOpenAt(row, knownAt));
  const statements = yield* statementsOf(db, open);
  const ids = open.flatMap((row) => {
    const found = toDisagreement(row, statements);
    if (found === undefined || shown.source_kind === 'correction') return [];
    const isOfThatTime = [found.first, found.second].some((one) => areOverlapping(startOf(one), startOf(shown)));
    return isOfThatTime ? [row.contradiction_id] : [];
  });
  return ids.length === 0 ? {} : { disputed_in: ids };
}
