import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { type SystemCallOptions, systemCall } from '#kernel/jobs/system-call.ts';
import { instructionLimits } from '../instruction-limits.ts';

export type BackgroundCalls = ReturnType<typeof createBackgroundCalls>;

export function createBackgroundCalls(clock: Clock, signal: AbortSignal) {
  const createCall = (tenant: TenantId, options: SystemCallOptions): Call =>
    systemCall('instructions/seen', {
      tenant,
      signal,
      deadlineAt: clock.now() + instructionLimits.storeDeadlineMs,
      ...options,
    });
  return {
    /** For internal records, such as the journal: not audited. */
    internal: (tenant: TenantId): Call => createCall(tenant, { durability: 'now' }),
    /** For clean-up that would be repeated after a power failure: not audited, and flushed later. */
    cleanup: (tenant: TenantId): Call => createCall(tenant, {}),
    /** For recording an edit that was made outside the program. */
    outsideEdit: (tenant: TenantId): Call => createCall(tenant, { actor: 'outside', audit: 'row', durability: 'now' }),
  };
}
