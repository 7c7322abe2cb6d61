import type { Call } from '#kernel/call.ts';
import type { InstructionEntry } from '../entry-model.ts';
import type { ReadsDeps, UsageCount } from './reads-deps.ts';

/** The same entry with the same count is the same object: whoever printed it once knows it again. */
const counted = new WeakMap<InstructionEntry, InstructionEntry>();

/** Counts live in a store of their own and are added on the way out: using a rule does not change its file. */
export function withUsage(entry: InstructionEntry, count: UsageCount | undefined): InstructionEntry {
  if (count === undefined) return entry;
  const { usageCount, lastUsedAt } = count;
  const made = counted.get(entry);
  if (made?.usageCount === usageCount && made.lastUsedAt === (lastUsedAt ?? entry.lastUsedAt)) return made;
  const fresh = lastUsedAt === undefined ? { ...entry, usageCount } : { ...entry, usageCount, lastUsedAt };
  counted.set(entry, fresh);
  return fresh;
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
