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
