import { notebookLimits } from '#domains/notebooks/notebook-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Next to this module in the source, next to its chunk in the bundle. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? './validation.worker.ts' : './validation.worker.js',
  import.meta.url,
);

/**
 * A separate pool, because a validation may hold its worker for seconds. Processes rather than threads, because a
 * third-party parser that runs out of memory must not end the program.
 */
export const createValidationWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: notebookLimits.validationWorkersCount,
    heapMb: notebookLimits.validationHeapMb,
    memoryMb: notebookLimits.validationMemoryMb,
  });
