import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
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
  const make = (tenant: TenantId, actor: string, audit: Call['audit']): Call => ({
    tenant,
    actor,
    scopes: new Set(['admin']),
    tool: 'instructions/seen',
    audit,
    signal,
    deadlineAt: clock.now() + instructionLimits.storeDeadlineMs,
    progress() {},
  });
  return {
    quiet: (tenant) => make(tenant, 'system', 'none'),
    tidy: (tenant) => ({ ...make(tenant, 'system', 'none'), durability: 'soon' }),
    outside: (tenant) => make(tenant, 'outside', 'row'),
  };
}
