import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';

/** `total` is missing if it is unknown. */
export type AdminProgress = (done: number, total: number | undefined, message: string) => void;

const operatorLimits = { storeDeadlineMs: 60_000 } as const;

export interface OperatorCallOptions {
  readonly tenant: TenantId;
  readonly tool: string;
  readonly clock: Clock;
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A call by the operator that bypasses `invoke`. Create one per store access: the deadline limits one access, not the
 * whole command.
 */
export const toOperatorCall = ({ tool, clock, actor = 'operator', ...options }: OperatorCallOptions): Call =>
  systemCall(tool, {
    ...options,
    actor,
    audit: 'row',
    durability: 'now',
    deadlineAt: clock.now() + operatorLimits.storeDeadlineMs,
  });
