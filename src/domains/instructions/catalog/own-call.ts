import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { type SystemCallOptions, systemCall } from '#kernel/jobs/system-call.ts';
import { instructionLimits } from '../instruction-limits.ts';

/** Calls that the catalog makes for itself. */
export interface OwnCalls {
  /** Changes nothing that anybody would ask about: the journal, the lists of what is known. */
  quiet(tenant: TenantId): Call;
  /** Puts away what nobody needs any more, and what would be found again if the power took it. */
  tidy(tenant: TenantId): Call;
  /** Writes down what somebody did to the files behind the program's back. */
  outside(tenant: TenantId): Call;
}

export function createOwnCalls(clock: Clock, signal: AbortSignal): OwnCalls {
  const make = (tenant: TenantId, options: SystemCallOptions): Call =>
    systemCall('instructions/seen', {
      tenant,
      signal,
      deadlineAt: clock.now() + instructionLimits.storeDeadlineMs,
      ...options,
    });
  return {
    quiet: (tenant) => make(tenant, { durability: 'now' }),
    tidy: (tenant) => make(tenant, {}),
    outside: (tenant) => make(tenant, { actor: 'outside', audit: 'row', durability: 'now' }),
  };
}
