import type { Reader, Work } from '#kernel/storage/port.ts';
import { expectRoot, membersOf } from '../entities/load-entity.ts';
import { listObservationsOfField, type ObservationRow } from '../entities/observed-store.ts';
import { patternOf } from '../entities/provenance/field-history.ts';
import { truthLimits } from '../truth-limits.ts';

/** The name may occur only inside other values. */
const isStatedIn = ({ fields, raw_fragments }: ObservationRow, field: string): boolean =>
  [fields, raw_fragments].some((text) => Object.hasOwn(JSON.parse(text) as object, field));

/** Whether any source ever stated a value of the field. */
export function* wasStated(db: Reader, entityId: string, field: string): Work<boolean> {
  const { root } = yield* expectRoot(db, entityId);
  const count = truthLimits.reducedPageCount;
  for (const member of yield* membersOf(db, root.entity_id)) {
    let before = { observedAt: Number.MAX_SAFE_INTEGER, observationId: '' };
    for (;;) {
      const rows = yield* listObservationsOfField(db, member, patternOf(field), before, count);
      if (rows.some((row) => isStatedIn(row, field))) return true;
      if (rows.length < count) break;
      before = { observedAt: rows.at(-1)!.observed_at, observationId: rows.at(-1)!.observation_id };
    }
  }
  return false;
}
