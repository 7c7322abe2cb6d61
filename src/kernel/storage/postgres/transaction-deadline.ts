import type { Clock } from '../../clock/clock.ts';

/** How long a transaction may take, and who may end it earlier. */
export interface TransactionDeadline {
  /** Undefined until the call is cancelled or its time is up; then the error to answer with. */
  readonly failure: Error | undefined;
  /** The one thing to do when it is over; replaces the one before. */
  onFailure(act: ((reason: Error) => void) | undefined): void;
  /** The transaction has ended by itself. */
  clear(): void;
}

interface Term {
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('the call was cancelled', { cause: reason });

export function createTransactionDeadline(
  { signal, deadlineAt }: Term,
  clock: Clock,
  overdue: () => Error,
): TransactionDeadline {
  let over: Error | undefined;
  let act: ((reason: Error) => void) | undefined;

  function stop(reason: Error): void {
    if (over !== undefined) return;
    over = reason;
    act?.(reason);
  }

  const onAbort = () => stop(toError(signal.reason));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  // Timers run for at most 2^31 ms, and fire at once beyond that.
  const timer = setTimeout(() => stop(overdue()), Math.min(Math.max(deadlineAt - clock.now(), 0), 2 ** 31 - 1));

  return {
    get failure() {
      return over;
    },
    onFailure(next) {
      act = next;
    },
    clear() {
      act = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
