import { canonicalJson } from '#kernel/json/canonical.ts';
import type { InstructionEntry } from '../entry-model.ts';

type Field = keyof InstructionEntry;

/** Fields that every write changes; a difference in them says nothing. */
const passing: ReadonlySet<string> = new Set(['updatedAt', 'sourceHash', 'governanceHash', 'changeLog', 'version']);

/** By name. Undefined is an entry that does not exist. */
export function changedFieldsOf(
  before: Partial<InstructionEntry> | undefined,
  after: Partial<InstructionEntry> | undefined,
): Field[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])] as Field[];
  return fields
    .filter(
      (field) =>
        !passing.has(field) && canonicalJson(before?.[field] ?? null) !== canonicalJson(after?.[field] ?? null),
    )
    .sort();
}
