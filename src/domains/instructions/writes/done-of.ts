import type { Committed } from './commit-all.ts';

/**
 * Which of the entries that were to be changed were: all but those that failed now. One that there was nothing left to do
 * for was changed by an earlier attempt of the same request.
 */
export function doneOf(settled: readonly string[], { failed }: Pick<Committed, 'failed'>): readonly string[] {
  const isFailed = new Set(failed.map(({ id }) => id));
  return settled.filter((id) => !isFailed.has(id));
}
