import type { Job, Report } from './task.ts';

export interface RunnerOptions {
  readonly entry: URL;
  readonly heapMb: number;
  readonly stackMb: number;
  /** All that it may take, outside the heap too. Only a process can be held to it. */
  readonly memoryMb: number;
}

/** What runs one job at a time for the pool: a thread of this process, or a process of its own. */
export interface Runner {
  /** Throws when the input cannot be copied. */
  post(job: Job): void;
  /** A busy one keeps this process alive, an idle one does not. */
  setBusy(busy: boolean): void;
  end(): Promise<void>;
}

export interface RunnerEvents {
  report(report: Report): void;
  /**
   * It ended by itself: crashed, left, or broke this limit of its memory. Called once, and not after `end()`.
   */
  gone(error: Error, memoryMb?: number): void;
}
