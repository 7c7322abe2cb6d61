import type { Call } from '#kernel/call.ts';
import type { InstructionEntry } from '../entry-model.ts';
import type { ReadsDeps, UsageCount } from './reads-deps.ts';

/** Counts are stored separately and added to answers, so that using a rule does not change its file. */
export function withUsage(entry: InstructionEntry, count: UsageCount | undefined): InstructionEntry {
  if (count === undefined) return entry;
  const { usageCount, lastUsedAt } = count;
  return lastUsedAt === undefined ? { ...entry, usageCount } : { ...entry, usageCount, lastUsedAt };
}

export async function addUsage(
  { usage }: Pick<ReadsDeps, 'usage'>,
  call: Call,
  entries: readonly InstructionEntry[],
): Promise<readonly InstructionEntry[]> {
  if (entries.length === 0) return entries;
  const counts = await usage.countsOf(
    call,
    entries.map(({ id }) => id),
  );
  return counts.size === 0 ? entries : entries.map((entry) => withUsage(entry, counts.get(entry.id)));
}
