import type { z } from 'zod';
import type { DeepReadonly } from '#kernel/tool/tool.ts';
import type { validationResult } from '../notebook-model.ts';
import type { ErrorEntry, WarningEntry } from '../validators/syntax-report.ts';

export type ValidationResult = DeepReadonly<z.infer<typeof validationResult>>;

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
