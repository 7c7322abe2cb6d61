import type { Clock } from '../../clock/clock.ts';

/** Ends a transaction when its call is cancelled or its time is up. */
export interface TransactionDeadline {
  /** The error to report; undefined until the call is cancelled or its time is up. */
  readonly failure: Error | undefined;
  /** Sets the callback, which replaces the previous one. */
  onFailure(act: ((reason: Error) => void) | undefined): void;
  /** To be called when the transaction has ended. */
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
  // A timer longer than 2^31 - 1 ms fires immediately.
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
