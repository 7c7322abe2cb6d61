import { truthLimits } from '#domains/truth/truth-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Beside this module in the source, beside the chunk that holds it in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './extract.worker.ts' : './extract.worker.js', import.meta.url);

/** A pool of its own, in processes: a file may be made to hold its reader for long, or to take all its memory. */
export const createExtractWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: truthLimits.extractThreadsCount,
    heapMb: truthLimits.extractHeapMb,
    memoryMb: truthLimits.extractMemoryMb,
  });
