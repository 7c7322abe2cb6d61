import { faults } from '#kernel/fault/kernel-faults.ts';
import { instructionLimits } from '../../instruction-limits.ts';

/** Doubles each time, but never so long that it looks like a hang. */
export const backoffMs = (baseMs: number, triedCount: number): number =>
  Math.min(baseMs * 2 ** triedCount, Math.max(baseMs, instructionLimits.retryWaitMs));

export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** A fault whose message contains no path. */
export const toFolderFault = (error: unknown) =>
  faults.STORE_UNAVAILABLE(
    { why: `the instructions folder cannot be used (${errorCodeOf(error) || 'unknown error'})` },
    {},
    { cause: error },
  );
