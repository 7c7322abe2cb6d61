import { type Call, localTenant } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults, isOutcomeUnknown } from '../fault/kernel-faults.ts';

const isUnavailable = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === faults.STORE_UNAVAILABLE.kind.code;

const prefix = faults.STORE_UNAVAILABLE({ why: '' }).message;

/** The reason why the store failed, without the words around it; undefined if the store is not the cause. */
export function whyUnavailable(error: unknown): string | undefined {
  if (isOutcomeUnknown(error)) return 'the last commit failed';
  return isUnavailable(error) ? error.message.replace(prefix, '') : undefined;
}

/** Remembers whether the last write failed because of the store. */
export interface WriteHealth {
  stored(): void;
  failed(error: unknown): void;
  /** The reason of the last failure; undefined after a successful write. */
  problem(): string | undefined;
}

export function createWriteHealth(): WriteHealth {
  let problem: string | undefined;
  return {
    stored() {
      problem = undefined;
    },
    failed(error) {
      problem = whyUnavailable(error) ?? problem;
    },
    problem: () => problem,
  };
}

const probeMs = 2_000;

/** A call for a write that changes nothing and only shows whether writes work. */
export const probeCall = (clock: Clock): Call => ({
  tenant: localTenant,
  actor: 'system',
  scopes: new Set(['admin'] as const),
  tool: 'storage/probe',
  audit: 'none',
  signal: new AbortController().signal,
  deadlineAt: clock.now() + probeMs,
  progress() {},
});
