import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { defineTask } from '#kernel/workers/task.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { type PageText, type ReadPageResult, readPage } from './read-page.ts';

export interface ReadPageInput {
  readonly page: PageText;
  readonly hash: string;
}

const readPageTask = defineTask<ReadPageInput, ReadPageResult>('knowledge/read-page');

/** Reads a page without holding the event loop for long. */
export type PageReader = (input: ReadPageInput, call: Call) => Promise<ReadPageResult> | ReadPageResult;

/** A page that takes too much is skipped; the rest of its library is kept. */
const isTooMuch = (error: unknown): error is Fault =>
  error instanceof Fault &&
  (error.kind === workerFaults.JOB_TIMEOUT.kind || error.kind === workerFaults.JOB_MEMORY.kind);

/** Small pages are read immediately, large ones in a separate process: reading one can take seconds. */
export function createPageReader(workers: () => Promise<Workers>): PageReader {
  const { inlineReadChars, readCpuMs: cpuMs, readWallMs: wallMs } = knowledgeLimits;

  async function readLarge(input: ReadPageInput, { tenant, signal }: Call): Promise<ReadPageResult> {
    try {
      return await (await workers()).run(readPageTask, input, {
        tenant,
        signal,
        cpuMs,
        wallMs,
        what: 'Reading the page',
      });
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return { reason: error.message };
    }
  }

  return (input, call) =>
    input.page.text.length <= inlineReadChars ? readPage(input.page, input.hash) : readLarge(input, call);
}
