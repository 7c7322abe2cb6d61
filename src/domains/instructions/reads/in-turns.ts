import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import { instructionLimits } from '../instruction-limits.ts';

/**
 * Goes through a long list a part at a time and lets others have their turn in between; a short one costs nothing more.
 * Whoever asked and went away ends it.
 */
export async function inTurns<T>(
  items: Iterable<T>,
  signal: AbortSignal,
  work: (part: readonly T[]) => void,
): Promise<void> {
  const pace = createPacer(instructionLimits.turnMs, signal);
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < instructionLimits.turnItemsCount) continue;
    work(part);
    part = [];
    await pace();
  }
  if (part.length > 0) work(part);
}
