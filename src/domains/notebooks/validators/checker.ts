import type { Call, TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { outOfMemory } from './out-of-memory.ts';
import type { ErrorEntry, ValidationResult } from './result.ts';
import { type CellToCheck, checkTask, type SharedSchemas } from './task.ts';

interface Turns {
  /** Runs the work when this tenant has fewer than `atOnceCount` of them under way; first come, first served. */
  run<T>(tenant: TenantId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Bounds what one tenant has under way, so that its slow work cannot hold every thread. */
function createTurns(limits: { readonly atOnceCount: number; readonly waitingCount: number }): Turns {
  const lanes = new Map<TenantId, Lane>();

  function wait(lane: Lane, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        lane.waiting.delete(go);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', onAbort);
        lane.waiting.delete(go);
        resolve();
      };
      lane.waiting.add(go);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    async run(tenant, signal, work) {
      signal.throwIfAborted();
      const lane = lanes.get(tenant) ?? { running: 0, waiting: new Set() };
      lanes.set(tenant, lane);
      if (lane.running < limits.atOnceCount) lane.running += 1;
      else if (lane.waiting.size >= limits.waitingCount)
        throw workerFaults.WORKERS_BUSY({ waiting: lane.waiting.size });
      // Whoever ends hands its place on, so nobody overtakes those who wait.
      else await wait(lane, signal);
      try {
        return await work();
      } finally {
        const [next] = lane.waiting;
        if (next === undefined) lane.running -= 1;
        else next();
        if (lane.running === 0) lanes.delete(tenant);
      }
    },
  };
}

/** Cells in their order, as many together as may travel at once; a large one goes alone. */
function toBatches(cells: readonly CellToCheck[]): readonly (readonly CellToCheck[])[] {
  const batches: CellToCheck[][] = [];
  let chars = 0;
  for (const cell of cells) {
    const last = batches.at(-1);
    const fits = chars + cell.content.length <= notebookLimits.checkBatchChars;
    if (last !== undefined && fits && last.length < notebookLimits.checkBatchCount) {
      last.push(cell);
      chars += cell.content.length;
    } else {
      batches.push([cell]);
      chars = cell.content.length;
    }
  }
  return batches;
}

export interface Checker {
  /**
   * One result a cell, in their order, or none at all: VALIDATION_TIMEOUT when they do not all come within `timeoutMs`
   * (waiting for a thread counts), WORKERS_BUSY when too many checks of this tenant wait.
   */
  check(
    call: Call,
    cells: readonly CellToCheck[],
    shared: SharedSchemas,
    timeoutMs: number,
  ): Promise<readonly ValidationResult[]>;
}

/** `workers` is a pool for checks alone: what holds its threads for long holds up nothing else. */
export function createChecker({ workers }: { readonly workers: Workers }): Checker {
  const turns = createTurns({
    atOnceCount: notebookLimits.checkPerTenantCount,
    waitingCount: notebookLimits.checkWaitingPerTenantCount,
  });

  async function runBatch(
    call: Call,
    cells: readonly CellToCheck[],
    shared: SharedSchemas,
    signal: AbortSignal,
    ms: number,
  ) {
    const { tenant } = call;
    const used = cells.some(({ schema }) => schema !== undefined) ? shared : {};
    try {
      return await workers.run(checkTask, { cells, shared: used }, { tenant, signal, wallMs: ms, what: 'The check' });
    } catch (error) {
      if (!isLost(error) && !isUncopyable(error)) throw error;
      // Which cell it was is not known: each is tried alone, and the one that breaks a thread again is told so.
      if (cells.length === 1) return [isLost(error) ? toLost(cells[0]!, error) : toRefused(cells[0]!, schemaTooDeep)];
      const results: ValidationResult[] = [];
      for (const cell of cells) results.push(...(await runBatch(call, [cell], shared, signal, ms)));
      return results;
    }
  }

  return {
    async check(call, cells, shared, timeoutMs) {
      const timer = new AbortController();
      const signal = AbortSignal.any([timer.signal, call.signal]);
      const timeout = setTimeout(() => timer.abort(notebookFaults.VALIDATION_TIMEOUT({ ms: timeoutMs })), timeoutMs);
      const results: ValidationResult[] = [];
      try {
        for (const batch of toBatches(cells))
          results.push(
            ...(await turns.run(call.tenant, signal, () => runBatch(call, batch, shared, signal, timeoutMs))),
          );
      } catch (error) {
        throw error instanceof Fault && error.kind === workerFaults.JOB_TIMEOUT.kind
          ? notebookFaults.VALIDATION_TIMEOUT({ ms: timeoutMs })
          : error;
      } finally {
        clearTimeout(timeout);
      }
      return results;
    },
  };
}

const schemaTooDeep: ErrorEntry = { message: 'the schema cannot be used: it nests too deep', code: 'INVALID_SCHEMA' };

/** The thread is gone, and with it the answer: out of memory, or a parser that broke. */
const isLost = (error: unknown): error is Error =>
  error instanceof Fault
    ? error.kind === workerFaults.JOB_MEMORY.kind
    : error instanceof Error && error.message.startsWith(`the task ${checkTask.name} `);

const isMemory = (error: Error): boolean =>
  error instanceof Fault || (error.cause instanceof Error && error.cause.message === outOfMemory);

const toRefused = ({ cellId, index, language }: CellToCheck, error: ErrorEntry): ValidationResult => ({
  cell_index: index,
  cell_id: cellId,
  language,
  valid: false,
  errors: [error],
  warnings: [],
});

const toLost = (cell: CellToCheck, error: Error): ValidationResult =>
  toRefused(
    cell,
    isMemory(error)
      ? { message: 'checking this cell takes more memory than it may', code: 'VALIDATION_MEMORY' }
      : { message: 'this cell could not be checked: the parser failed', code: 'VALIDATION_FAILED' },
  );

/** A value that nests too deep cannot even be copied to the thread. */
const isUncopyable = (error: unknown): boolean => error instanceof RangeError;
