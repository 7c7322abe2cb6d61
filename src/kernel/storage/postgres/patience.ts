import type { Clock } from '../../clock/clock.ts';

/** How long a transaction may take, and who may end it earlier. */
export interface Patience {
  /** Undefined until the call is cancelled or its time is up; then the error to answer with. */
  readonly over: unknown;
  /** The one thing to do when it is over; replaces the one before. */
  whenOver(act: (() => void) | undefined): void;
  /** The transaction has ended by itself. */
  end(): void;
}

interface Term {
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

export function createPatience({ signal, deadlineAt }: Term, clock: Clock, overdue: () => unknown): Patience {
  let over: unknown;
  let act: (() => void) | undefined;

  function stop(reason: unknown): void {
    if (over !== undefined) return;
    over = reason ?? overdue();
    act?.();
  }

  const onAbort = () => stop(signal.reason);
  if (signal.aborted) stop(signal.reason);
  else signal.addEventListener('abort', onAbort);
  // Timers run for at most 2^31 ms, and fire at once beyond that.
  const timer = setTimeout(() => stop(overdue()), Math.min(Math.max(deadlineAt - clock.now(), 0), 2 ** 31 - 1));

  return {
    get over() {
      return over;
    },
    whenOver(next) {
      act = next;
    },
    end() {
      act = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
