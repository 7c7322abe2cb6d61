import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';

const operatorLimits = { storeDeadlineMs: 60_000 } as const;

export interface OperatorCallOptions {
  readonly tenant: TenantId;
  readonly tool: string;
  readonly clock: Clock;
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call of whoever runs the program, past `invoke`. One for each trip to the store: its deadline is for waiting, not for the whole. */
export const toOperatorCall = ({ tool, clock, actor = 'operator', ...options }: OperatorCallOptions): Call =>
  systemCall(tool, {
    ...options,
    actor,
    audit: 'row',
    durability: 'now',
    deadlineAt: clock.now() + operatorLimits.storeDeadlineMs,
  });
