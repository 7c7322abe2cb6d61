import { notebookLimits } from '#domains/notebooks/notebook-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Next to this module in the source, next to its chunk in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './checks.worker.ts' : './checks.worker.js', import.meta.url);

/**
 * A separate pool, because a check may occupy its worker for seconds. In processes, because third-party parsers read
 * untrusted text, and running out of memory there must not end the program.
 */
export const createCheckWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: notebookLimits.checkThreadsCount,
    heapMb: notebookLimits.checkHeapMb,
    memoryMb: notebookLimits.checkMemoryMb,
  });
