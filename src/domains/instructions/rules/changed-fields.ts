import { canonicalJson } from '#kernel/json/canonical.ts';
import type { InstructionEntry } from '../entry-model.ts';

type Fields = Partial<InstructionEntry>;

/** Fields that every write changes; a difference in them says nothing. */
const passing: ReadonlySet<string> = new Set(['updatedAt', 'sourceHash', 'governanceHash', 'changeLog', 'version']);

/** Sorted; includes fields that only one of them has. Undefined is an entry that does not exist. */
export const differingFields = (a: Fields = {}, b: Fields = {}): (keyof InstructionEntry)[] =>
  ([...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof InstructionEntry)[])
    .filter((field) => canonicalJson(a[field] ?? null) !== canonicalJson(b[field] ?? null))
    .sort();

/** Without versions, hashes and times. */
export const changedFieldsOf = (before: Fields | undefined, after: Fields | undefined): (keyof InstructionEntry)[] =>
  differingFields(before, after).filter((field) => !passing.has(field));
