import type { ValidationResult } from '../validation/validation-result.ts';

/** Both count from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type ErrorEntry = ValidationResult['errors'][number];
export type WarningEntry = ValidationResult['warnings'][number];

export interface SyntaxReport {
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly WarningEntry[];
  /** Set when no parser accepted all of the text, and yet it is not known to be wrong. */
  readonly checked?: 'partly' | 'not';
}

/** One document of a data format, for a schema to be applied to. */
export interface DataDocument {
  readonly value: unknown;
  /** The start of the values at these JSON pointers; values without a known position are left out. */
  positionsOf(pointers: ReadonlySet<string>): ReadonlyMap<string, Position>;
}

export interface DataReport extends SyntaxReport {
  /** Built on demand: without a schema no values are needed. Throws TooManyValuesError and what the parser throws. */
  documents(): readonly DataDocument[];
}

export class TooManyValuesError extends Error {}

export const noFindings: SyntaxReport = { errors: [], warnings: [] };

/** The last message of a worker whose grammars ran out of memory. */
export const outOfMemory = 'the grammars are out of memory';

/** Warnings have no position of their own, so the message carries it. */
export const toWarning = ({ line, column }: Position, message: string, code: string): WarningEntry => ({
  message: `line ${line}, column ${column}: ${message}`,
  code,
});

/** Lines end with LF, CR or both. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 10 && code !== 13) continue;
    if (code === 13 && text.charCodeAt(at + 1) === 10) {
      if (at + 1 >= offset) continue;
      at += 1;
    }
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
