import { integrationLimits } from '#domains/integrations/integration-limits.ts';
import { truthLimits } from '#domains/truth/truth-limits.ts';
import { createWorkers, type Workers } from '#kernel/workers/workers.ts';

/** Next to this module in the source, and next to the chunk that contains it in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './extract.worker.ts' : './extract.worker.js', import.meta.url);

/** A separate pool of processes: a malicious file can block its reader for long or use up all its memory. */
export const createExtractWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: truthLimits.extractThreadsCount,
    heapMb: truthLimits.extractHeapMb,
    memoryMb: truthLimits.extractMemoryMb,
    restRatio: truthLimits.extractRestRatio,
  });

/** Separate, so that a large file does not delay the mails of a sync. */
export const createMailWorkers = (): Workers =>
  createWorkers({
    entry,
    isolation: 'process',
    threadsCount: integrationLimits.mailThreadsCount,
    heapMb: integrationLimits.mailHeapMb,
  });
