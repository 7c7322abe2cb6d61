import { instructionLimits } from '../../instruction-limits.ts';

/** How long to wait before the next try: twice as long each time, and never so long that it looks like a hang. */
export const backoffMs = (baseMs: number, triedCount: number): number =>
  Math.min(baseMs * 2 ** triedCount, Math.max(baseMs, instructionLimits.retryWaitMs));
