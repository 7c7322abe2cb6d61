import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { type SystemCallOptions, systemCall } from '#kernel/jobs/system-call.ts';
import { instructionLimits } from '../instruction-limits.ts';

/** Calls that the catalog makes on its own behalf. */
export interface BackgroundCalls {
  /** For internal records, such as the journal: not audited. */
  internal(tenant: TenantId): Call;
  /** For clean-up that would be repeated after a power failure: not audited, and flushed later. */
  cleanup(tenant: TenantId): Call;
  /** For recording an edit that was made outside the program. */
  outsideEdit(tenant: TenantId): Call;
}

export function createBackgroundCalls(clock: Clock, signal: AbortSignal): BackgroundCalls {
  const createCall = (tenant: TenantId, options: SystemCallOptions): Call =>
    systemCall('instructions/seen', {
      tenant,
      signal,
      deadlineAt: clock.now() + instructionLimits.storeDeadlineMs,
      ...options,
    });
  return {
    internal: (tenant) => createCall(tenant, { durability: 'now' }),
    cleanup: (tenant) => createCall(tenant, {}),
    outsideEdit: (tenant) => createCall(tenant, { actor: 'outside', audit: 'row', durability: 'now' }),
  };
}
