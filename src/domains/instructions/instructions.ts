import type { InstructionExchange } from './exchange/bulk-tools.ts';
import type { Feedback } from './feedback/feedback.ts';
import type { Gates } from './gates/gates.ts';
import type { Integrity } from './integrity/integrity.ts';
import type { Reads } from './reads/reads.ts';
import type { Review } from './review/review.ts';
import type { Usage } from './usage/usage.ts';
import type { Writes } from './writes/writes.ts';

/** The governed catalog, whole. A tool takes the part of it that it needs. */
export interface Instructions {
  readonly reads: Reads;
  readonly writes: Writes;
  readonly usage: Usage;
  readonly feedback: Feedback;
  readonly review: Review;
  readonly gates: Gates;
  readonly integrity: Integrity;
  readonly exchange: InstructionExchange;
}
