import { integrationLimits } from '#domains/integrations/integration-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Next to this module in the source, next to its chunk in the bundle. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? './connector.worker.ts' : './connector.worker.js',
  import.meta.url,
);

/** A separate pool, because a large feed may hold its process for seconds. */
export const createConnectorWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: integrationLimits.readProcessesCount,
    heapMb: integrationLimits.readHeapMb,
    memoryMb: integrationLimits.readMemoryMb,
  });
