import type { Reader, Work } from '#kernel/storage/port.ts';
import { expectRoot, membersOf } from '../entities/load-entity.ts';
import { listObservationsOfField } from '../entities/observed-store.ts';
import { patternOf } from '../entities/provenance/field-history.ts';

const newest = { observedAt: Number.MAX_SAFE_INTEGER, observationId: '' };

/** Whether any source ever stated a value of the field. */
export function* wasStated(db: Reader, entityId: string, field: string): Work<boolean> {
  const { root } = yield* expectRoot(db, entityId);
  for (const member of yield* membersOf(db, root.entity_id)) {
    const [row] = yield* listObservationsOfField(db, member, patternOf(field), newest, 1);
    if (row !== undefined) return true;
  }
  return false;
}
