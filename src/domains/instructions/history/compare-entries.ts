import { canonicalJson } from '#kernel/json/canonical.ts';
import { diffLines } from '#kernel/text/line-diff.ts';
import type { InstructionEntry } from '../entry-model.ts';

/** Fields that every write changes; a difference in them says nothing. */
const passing: ReadonlySet<string> = new Set(['updatedAt', 'sourceHash', 'governanceHash', 'changeLog', 'version']);

type Fields = Partial<InstructionEntry>;

/** Sorted; includes fields that only one of them has. */
export const differingFields = (a: Fields = {}, b: Fields = {}): readonly (keyof InstructionEntry)[] =>
  ([...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof InstructionEntry)[])
    .filter((field) => canonicalJson(a[field] ?? null) !== canonicalJson(b[field] ?? null))
    .sort();

export function compareEntries(a: Fields | undefined, b: Fields | undefined) {
  const changedFields = differingFields(a, b).filter((field) => !passing.has(field));
  return {
    changedFields,
    changes: Object.fromEntries(
      changedFields
        .filter((field) => field !== 'body')
        .map((field) => [field, { before: a?.[field] ?? null, after: b?.[field] ?? null }]),
    ),
    bodyDiff: diffLines(a?.body ?? '', b?.body ?? ''),
  };
}
