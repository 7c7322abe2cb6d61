import type { Call, TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { SharedSchemas } from '../validators/schema/apply.ts';
import { type ErrorEntry, outOfMemory } from '../validators/syntax-report.ts';
import type { ValidationResult } from './validation-result.ts';
import { type CellToValidate, validationTask } from './validation-task.ts';

interface TenantQueue {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Limits the concurrent work of one tenant, so that its slow cells cannot hold every worker. First come, first served. */
function createTenantQueues(limits: { readonly runningCount: number; readonly waitingCount: number }) {
  const queues = new Map<TenantId, TenantQueue>();

  function wait(queue: TenantQueue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        queue.waiting.delete(start);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        queue.waiting.delete(start);
        resolve();
      };
      queue.waiting.add(start);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    async run<T>(tenant: TenantId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const queue = queues.get(tenant) ?? { running: 0, waiting: new Set() };
      queues.set(tenant, queue);
      if (queue.running < limits.runningCount) queue.running += 1;
      else if (queue.waiting.size >= limits.waitingCount)
        throw workerFaults.WORKERS_BUSY({ waiting: queue.waiting.size });
      // Finished work passes its slot on without changing `running`, so that new work cannot overtake.
      else await wait(queue, signal);
      try {
        return await work();
      } finally {
        const [next] = queue.waiting;
        if (next === undefined) queue.running -= 1;
        else next();
        if (queue.running === 0) queues.delete(tenant);
      }
    },
  };
}

/** In order; a cell above the limit gets a batch of its own. */
function toBatches(cells: readonly CellToValidate[]): readonly (readonly CellToValidate[])[] {
  const batches: CellToValidate[][] = [];
  let chars = 0;
  for (const cell of cells) {
    const last = batches.at(-1);
    const fits = chars + cell.content.length <= notebookLimits.validationBatchChars;
    if (last !== undefined && fits && last.length < notebookLimits.validationBatchCount) {
      last.push(cell);
      chars += cell.content.length;
    } else {
      batches.push([cell]);
      chars = cell.content.length;
    }
  }
  return batches;
}

export interface ValidationPool {
  /**
   * One result per cell, in order, or a fault: VALIDATION_TIMEOUT when not all arrive within `timeoutMs`, waiting included;
   * WORKERS_BUSY when too many validations of this tenant wait.
   */
  validate(
    call: Call,
    cells: readonly CellToValidate[],
    shared: SharedSchemas,
    timeoutMs: number,
  ): Promise<readonly ValidationResult[]>;
}

/** `workers` must not be shared with other work: a validation may hold a worker for seconds. */
export function createValidationPool({ workers }: { readonly workers: Workers }): ValidationPool {
  const queues = createTenantQueues({
    runningCount: notebookLimits.validationsPerTenantCount,
    waitingCount: notebookLimits.waitingValidationsCount,
  });

  async function runBatch(
    call: Call,
    cells: readonly CellToValidate[],
    shared: SharedSchemas,
    signal: AbortSignal,
    wallMs: number,
  ): Promise<readonly ValidationResult[]> {
    const { tenant } = call;
    const used = cells.some(({ schema }) => schema !== undefined) ? shared : {};
    try {
      const input = { cells, shared: used };
      return await workers.run(validationTask, input, { tenant, signal, wallMs, what: 'The validation' });
    } catch (error) {
      const reason = toCellError(error);
      if (reason === undefined) throw error;
      if (cells.length === 1) return [toFailed(cells[0]!, reason)];
      // The batch does not say which cell it was, so each one runs alone.
      const results: ValidationResult[] = [];
      for (const cell of cells) results.push(...(await runBatch(call, [cell], shared, signal, wallMs)));
      return results;
    }
  }

  return {
    async validate(call, cells, shared, timeoutMs) {
      const timer = new AbortController();
      const signal = AbortSignal.any([timer.signal, call.signal]);
      const timeout = setTimeout(() => timer.abort(notebookFaults.VALIDATION_TIMEOUT({ ms: timeoutMs })), timeoutMs);
      const results: ValidationResult[] = [];
      try {
        for (const batch of toBatches(cells))
          results.push(
            ...(await queues.run(call.tenant, signal, () => runBatch(call, batch, shared, signal, timeoutMs))),
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

const toFailed = ({ cellId, index, language }: CellToValidate, error: ErrorEntry): ValidationResult => ({
  cell_index: index,
  cell_id: cellId,
  language,
  valid: false,
  errors: [error],
  warnings: [],
});

/** The error of the cell that made a worker fail; undefined for faults that are not about a cell. */
function toCellError(error: unknown): ErrorEntry | undefined {
  // A schema that is too deep cannot even be copied to the worker.
  if (error instanceof RangeError)
    return { message: 'the schema cannot be used: it nests too deep', code: 'INVALID_SCHEMA' };
  const isMemory = error instanceof Fault && error.kind === workerFaults.JOB_MEMORY.kind;
  const isLost = error instanceof Error && error.message.startsWith(`the task ${validationTask.name} `);
  if (!isMemory && !isLost) return undefined;
  return isMemory || (error.cause instanceof Error && error.cause.message === outOfMemory)
    ? { message: 'this cell needs more memory than a validation may use', code: 'VALIDATION_MEMORY' }
    : { message: 'this cell could not be checked: the parser failed', code: 'VALIDATION_FAILED' };
}
