/** One kind of work that a worker can do. The name is its key in the table of the worker entry. */
export interface Task<I, O> {
  readonly name: string;
  /** Never present; carry the types. */
  readonly input?: I;
  readonly output?: O;
}

export const defineTask = <I, O>(name: string): Task<I, O> => ({ name });

export interface Job {
  readonly task: string;
  readonly input: unknown;
  /** The limit for the CPU time of all threads of the process. Only a process can enforce it. */
  readonly cpuMs?: number;
}

/** The limit that a worker exceeded. */
export type Overrun = { readonly kind: 'memory'; readonly mb: number } | { readonly kind: 'cpu'; readonly ms: number };

/** A message from a worker to the pool. A worker has one job at a time, so the job is not named. */
export type Report =
  | { readonly kind: 'ready' }
  /** The task's module is loaded: the time limit starts here. Sent once per task and worker. */
  | { readonly kind: 'loaded' }
  | ((
      | { readonly kind: 'done'; readonly value: unknown }
      | { readonly kind: 'failed'; readonly message: string; readonly stack: string }
    ) & {
      /** The worker takes no other job after this one. */
      readonly isLast?: boolean;
    });

export interface RunnerOptions {
  readonly entry: URL;
  readonly heapMb: number;
  readonly stackMb: number;
  /** The limit for all memory, also outside the heap. Only a process can enforce it. */
  readonly memoryMb: number;
  /** A process that has a larger share of its memory after a job is not reused. */
  readonly restRatio: number;
}

/** Runs one job at a time for the pool, in a thread or in a process. */
export interface Runner {
  /** Throws if the input cannot be copied. */
  post(job: Job): void;
  /** A busy worker keeps this process alive, an idle one does not. */
  setBusy(busy: boolean): void;
  end(): Promise<void>;
}

export interface RunnerEvents {
  report(report: Report): void;
  /**
   * The worker ended by itself: it crashed, exited or exceeded this limit. Called once, and not after `end()`.
   */
  gone(error: Error, over?: Overrun): void;
}
