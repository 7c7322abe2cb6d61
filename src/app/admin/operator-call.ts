import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';

const operatorLimits = { storeDeadlineMs: 60_000 } as const;

const never = new AbortController().signal;

export interface OperatorCallOptions {
  readonly tenant: TenantId;
  readonly tool: string;
  readonly clock: Clock;
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call of whoever runs the program, past `invoke`. One for each trip to the store: its deadline is for waiting, not for the whole. */
export const toOperatorCall = ({ tenant, tool, clock, actor, signal }: OperatorCallOptions): Call => ({
  tenant,
  actor: actor ?? 'operator',
  scopes: new Set(['admin']),
  tool,
  audit: 'row',
  signal: signal ?? never,
  deadlineAt: clock.now() + operatorLimits.storeDeadlineMs,
  progress() {},
});
