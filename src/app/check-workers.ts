import { notebookLimits } from '#domains/notebooks/notebook-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Beside this module in the source, beside the chunk that holds it in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './checks.worker.ts' : './checks.worker.js', import.meta.url);

/**
 * A pool of its own: a check may hold its worker for seconds, and nothing but another check may wait for that. In
 * processes: parsers of others read texts of strangers, and what runs out of memory there must not end the program.
 */
export const createCheckWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: notebookLimits.checkThreadsCount,
    heapMb: notebookLimits.checkHeapMb,
    memoryMb: notebookLimits.checkMemoryMb,
  });
