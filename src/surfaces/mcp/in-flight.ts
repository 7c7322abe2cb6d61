import type { RequestId } from './protocol.ts';

export interface InFlightOwner {
  send(text: string): void;
  /** A call has ended, in whatever way. */
  settled(): void;
  failed(error: unknown, id: RequestId | undefined): void;
}

/** The calls that the front runs for one connection. It owns the cancellation of their ids. */
export interface InFlight {
  readonly count: number;
  /** `id` undefined: a notification, whose answer nobody waits for. */
  run(id: RequestId | undefined, work: (signal: AbortSignal) => Promise<string | undefined>): void;
  /** False: no such call is running here. */
  cancel(id: unknown): boolean;
  abortAll(): void;
}

export function createInFlight(owner: InFlightOwner): InFlight {
  const running = new Map<unknown, AbortController>();

  function settle(key: unknown, controller: AbortController): void {
    // A client may use an id again before its first answer; the entry is then the later call's.
    if (running.get(key) === controller) running.delete(key);
    owner.settled();
  }

  return {
    get count() {
      return running.size;
    },
    run(id, work) {
      const controller = new AbortController();
      const key = id ?? controller;
      running.set(key, controller);
      work(controller.signal).then(
        (text) => {
          // The protocol wants no answer to a request that was cancelled.
          if (text !== undefined && !controller.signal.aborted) owner.send(text);
          settle(key, controller);
        },
        (error: unknown) => {
          owner.failed(error, id);
          settle(key, controller);
        },
      );
    },
    cancel(id) {
      const controller = running.get(id);
      if (controller === undefined) return false;
      running.delete(id);
      controller.abort();
      owner.settled();
      return true;
    },
    abortAll() {
      for (const controller of running.values()) controller.abort();
      running.clear();
    },
  };
}
