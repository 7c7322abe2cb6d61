import type { RequestId } from './protocol.ts';

export interface InFlightOwner {
  send(text: string): void;
  settled(): void;
  failed(error: unknown, id: RequestId | undefined): void;
}

export type InFlight = ReturnType<typeof createInFlight>;

/** The calls that the fast path runs for one connection. It handles the cancellation of their ids. */
export function createInFlight(owner: InFlightOwner) {
  const running = new Map<unknown, AbortController>();

  function settle(key: unknown, controller: AbortController): void {
    // A client may reuse an id before its first answer; the entry then belongs to the later call.
    if (running.get(key) === controller) running.delete(key);
    owner.settled();
  }

  return {
    get count() {
      return running.size;
    },
    /** `id` is undefined for a notification, which has no answer. */
    run(id: RequestId | undefined, work: (signal: AbortSignal) => Promise<string | undefined>) {
      const controller = new AbortController();
      const key = id ?? controller;
      running.set(key, controller);
      work(controller.signal).then(
        (text) => {
          // The protocol allows no answer to a cancelled request.
          if (text !== undefined && !controller.signal.aborted) owner.send(text);
          settle(key, controller);
        },
        (error: unknown) => {
          owner.failed(error, id);
          settle(key, controller);
        },
      );
    },
    /** False if no such call is running here. */
    cancel(id: unknown) {
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
