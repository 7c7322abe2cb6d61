import { createPacer, yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import { instructionLimits } from '../instruction-limits.ts';

/** Processes a long list in batches and yields to the event loop between them. Ends when the caller cancels. */
export async function runInBatches<T>(
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

/** Runs small steps and yields to the event loop when a time slice is used up; `endSlice` runs before each yield. */
export async function runInSlices<T>(
  items: Iterable<T>,
  step: (item: T) => void,
  endSlice: () => void,
  signal: AbortSignal,
): Promise<void> {
  const pace = createPacer(instructionLimits.sliceMs, signal);
  for (const item of items) {
    step(item);
    const rest = pace();
    if (rest === undefined) continue;
    endSlice();
    await rest;
  }
  endSlice();
}

function* merge(a: Iterable<string>, b: Iterable<string>): Generator<string> {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  let one = left.next();
  let other = right.next();
  while (!one.done && !other.done) {
    if (other.value < one.value) {
      yield other.value;
      other = right.next();
    } else {
      yield one.value;
      one = left.next();
    }
  }
  for (; !one.done; one = left.next()) yield one.value;
  for (; !other.done; other = right.next()) yield other.value;
}

const mergeRuns = (runs: readonly Iterable<string>[]): Iterable<string> => {
  const [first = [], second] = runs;
  if (second === undefined) return first;
  const half = runs.length >> 1;
  return merge(mergeRuns(runs.slice(0, half)), mergeRuns(runs.slice(half)));
};

/** In code-unit order. Sorts in runs, yields to the event loop between them, and merges lazily. */
export async function sortInSlices(texts: readonly string[], signal: AbortSignal): Promise<Iterable<string>> {
  const size = instructionLimits.sortRunCount;
  const runs: string[][] = [];
  for (let at = 0; at < texts.length; at += size) {
    if (at > 0) await yieldToEventLoop(signal);
    runs.push(texts.slice(at, at + size).sort());
  }
  return mergeRuns(runs);
}
