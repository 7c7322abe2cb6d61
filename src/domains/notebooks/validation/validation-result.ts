import type { ErrorEntry, WarningEntry } from '../validators/syntax-report.ts';

/** RULINGS R5 and R8; the names are those of the wire. */
export interface ValidationResult {
  readonly cell_index: number;
  readonly cell_id: string;
  readonly language: string;
  /** True: a parser accepted all of the cell. Null: neither accepted nor known to be wrong. */
  readonly valid: boolean | null;
  /** Only with `valid: null`: a parser read the cell and did not know every construct. */
  readonly checked?: 'partly';
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly WarningEntry[];
  readonly details?: {
    readonly schema_applied?: string;
    readonly schema_ref?: string;
    readonly reason?: string;
  };
}

/** The first findings, and the number of omitted ones. */
export const shorten = <Entry extends ErrorEntry | WarningEntry>(
  entries: readonly Entry[],
  kind: 'errors' | 'warnings',
  count: number,
): readonly (Entry | WarningEntry)[] =>
  entries.length <= count
    ? entries
    : [
        ...entries.slice(0, count),
        { message: `${entries.length - count} more ${kind}`, code: `MORE_${kind.toUpperCase()}` },
      ];

/** Keeps every result; if they exceed `chars` as JSON, each result shows fewer findings. */
export function shortenResults(results: readonly ValidationResult[], chars: number): readonly ValidationResult[] {
  let shortened = results;
  let count = Math.max(0, ...results.map(({ errors, warnings }) => Math.max(errors.length, warnings.length)));
  while (count > 0 && JSON.stringify(shortened).length > chars) {
    count = Math.floor(count / 2);
    shortened = results.map((result) => ({
      ...result,
      errors: shorten(result.errors, 'errors', count),
      warnings: shorten(result.warnings, 'warnings', count),
    }));
  }
  return shortened;
}
