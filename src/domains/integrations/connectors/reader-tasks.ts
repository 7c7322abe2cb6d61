import type { TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { defineTask, type Task } from '#kernel/workers/task.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { integrationFaults } from '../integration-faults.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { ReadCalendarResult } from './readers/read-calendar.ts';
import type { ReadFeedInput, ReadFeedResult } from './readers/read-feed.ts';
import type { ReadMultistatusResult } from './readers/read-multistatus.ts';

export const readFeedTask = defineTask<ReadFeedInput, ReadFeedResult>('integrations/read-feed');
export const readCalendarsTask = defineTask<readonly string[], readonly ReadCalendarResult[]>(
  'integrations/read-calendars',
);
export const readMultistatusTask = defineTask<string, ReadMultistatusResult>('integrations/read-multistatus');

/** Reads a text from outside in a separate process, which is stopped if it takes too much. */
export type TextReader = <I, O>(task: Task<I, O>, input: I, signal: AbortSignal) => Promise<O>;

export const createTextReader =
  (workers: () => Promise<Pick<Workers, 'run'>>, tenant: TenantId): TextReader =>
  async (task, input, signal) => {
    const { readCpuMs: cpuMs, readWallMs: wallMs } = integrationLimits;
    try {
      return await (await workers()).run(task, input, { tenant, signal, cpuMs, wallMs, what: 'Reading the answer' });
    } catch (error) {
      if (signal.aborted || !(error instanceof Fault)) throw error;
      throw integrationFaults.SYNC_FAILED({ why: error.message }, {}, { cause: error });
    }
  };
