import { diffLines } from '#kernel/text/line-diff.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { changedFieldsOf } from '../rules/changed-fields.ts';

type Fields = Partial<InstructionEntry>;

export function compareEntries(a: Fields | undefined, b: Fields | undefined) {
  const changedFields = changedFieldsOf(a, b);
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
