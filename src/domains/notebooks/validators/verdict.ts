import type { ErrorEntry, WarningEntry } from './result.ts';

/** What a checker says about one text. */
export interface Verdict {
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly WarningEntry[];
}

/** One document of a data format, as a schema sees it. */
export interface DataDocument {
  readonly value: unknown;
  /** Where the values at these JSON pointers begin; those that cannot be found are left out. */
  placesOf(pointers: ReadonlySet<string>): ReadonlyMap<string, Place>;
}

export interface DataVerdict extends Verdict {
  /** Made only when somebody asks: a text that is merely read needs no values. Throws what the parser throws. */
  documents(): readonly DataDocument[];
}

/** Line and column from 1, the column in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export const sound: Verdict = { errors: [], warnings: [] };

/** A text that is left alone because of its size: nothing was found wrong with it, and that is said. */
export const tooLarge = (chars: number): Verdict => ({
  errors: [],
  warnings: [{ message: `not checked: longer than the ${chars} characters that can be`, code: 'TOO_LARGE' }],
});

/** Thrown by `documents()`. */
export class TooManyValues extends Error {}
