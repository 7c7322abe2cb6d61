import type { ErrorEntry, ValidationResult } from '../validators/result.ts';

type Warning = ValidationResult['warnings'][number];

const cutErrors = (errors: readonly ErrorEntry[], count: number): readonly ErrorEntry[] =>
  errors.length <= count
    ? errors
    : [...errors.slice(0, count), { message: `${errors.length - count} more errors`, code: 'MORE_ERRORS' }];

const cutWarnings = (warnings: readonly Warning[], count: number): readonly Warning[] =>
  warnings.length <= count
    ? warnings
    : [...warnings.slice(0, count), { message: `${warnings.length - count} more warnings`, code: 'MORE_WARNINGS' }];

/** Every cell keeps its verdict; where all findings do not fit one answer, each cell shows fewer of them. */
export function fitResults(results: readonly ValidationResult[], chars: number): readonly ValidationResult[] {
  let fitting = results;
  let count = Math.max(0, ...results.map(({ errors, warnings }) => Math.max(errors.length, warnings.length)));
  while (count > 0 && JSON.stringify(fitting).length > chars) {
    count = Math.floor(count / 2);
    fitting = results.map((result) => ({
      ...result,
      errors: cutErrors(result.errors, count),
      warnings: cutWarnings(result.warnings, count),
    }));
  }
  return fitting;
}
