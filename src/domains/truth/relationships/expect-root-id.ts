import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthFaults } from '../truth-faults.ts';
import { findRoots } from './relationship-store.ts';

/** The groups that entities belong to, by their ids. ENTITY_NOT_FOUND names the argument. */
export function* expectRootIds<Field extends string>(
  db: Reader,
  asked: Readonly<Record<Field, string>>,
): Work<Readonly<Record<Field, string>>> {
  const fields = Object.entries<string>(asked);
  const rows = yield* findRoots(db, [...new Set(fields.map(([, id]) => id))]);
  const rootOf = new Map(rows.map(({ entity_id, root_id }) => [entity_id, root_id]));
  const found = fields.map(([field, id]) => {
    const root = rootOf.get(id);
    if (root === undefined) throw truthFaults.ENTITY_NOT_FOUND({}, { field });
    return [field, root] as const;
  });
  return Object.fromEntries(found) as Record<Field, string>;
}
