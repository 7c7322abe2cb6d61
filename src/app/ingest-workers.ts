import { knowledgeLimits } from '#domains/knowledge/knowledge-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Next to this module in the source, next to its chunk in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './ingest.worker.ts' : './ingest.worker.js', import.meta.url);

/** A separate pool, because a page may hold its process for seconds. */
export const createIngestWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: knowledgeLimits.readProcessesCount,
    heapMb: knowledgeLimits.readHeapMb,
    memoryMb: knowledgeLimits.readMemoryMb,
  });
