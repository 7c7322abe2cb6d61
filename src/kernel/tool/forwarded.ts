import type { Outcome } from './invoke.ts';

/** The outcome of another tool, to be answered as if that tool had been called. */
export class Forwarded {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}
