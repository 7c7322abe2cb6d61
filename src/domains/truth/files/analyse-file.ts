import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { truthLimits } from '../truth-limits.ts';
import { type ExtractInput, type ExtractOutput, extractTask } from './extract/task.ts';

const lost: ReadonlySet<string> = new Set([
  workerFaults.JOB_TIMEOUT.kind.code,
  workerFaults.JOB_MEMORY.kind.code,
  workerFaults.WORKERS_BUSY.kind.code,
]);

/** A process that broke is the file's fault; a call that was given up or a server that shuts down is not. */
const isLost = (error: unknown): error is Error =>
  error instanceof Fault
    ? lost.has(error.code)
    : error instanceof Error && error.message.startsWith(`the task ${extractTask.name} `);

const wordsOf = (error: Error): string =>
  error instanceof Fault ? error.message : 'the process that reads it broke on it';

export type Analysed = Extract<ExtractOutput, { ok: true }> | { readonly ok: false; readonly why: string };

export async function analyseFile(workers: Workers, input: ExtractInput, call: Call): Promise<Analysed> {
  const { tenant, signal } = call;
  const wallMs = truthLimits.extractWallMs;
  try {
    return await workers.run(extractTask, input, { tenant, signal, wallMs, what: 'Reading the file' });
  } catch (error) {
    if (!isLost(error)) throw error;
    return { ok: false, why: wordsOf(error) };
  }
}
