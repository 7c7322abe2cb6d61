/** One kind of work that a worker can do. The name is its place in the table of the worker entry. */
export interface Task<I, O> {
  readonly name: string;
  /** Never there; carry the types. */
  readonly input?: I;
  readonly output?: O;
}

export const defineTask = <I, O>(name: string): Task<I, O> => ({ name });

/** What the pool says to a worker. */
export interface Job {
  readonly task: string;
  readonly input: unknown;
}

/** What a worker says to the pool. It has one job at a time, so none is named. */
export type Report =
  | { readonly kind: 'ready' }
  /** The task's module is there: from here on the wall time counts. Said once a task and worker. */
  | { readonly kind: 'loaded' }
  | ((
      | { readonly kind: 'done'; readonly value: unknown }
      | { readonly kind: 'failed'; readonly message: string; readonly stack: string }
    ) & {
      /** It will take no other job after this one. */
      readonly isLast?: boolean;
    });

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
