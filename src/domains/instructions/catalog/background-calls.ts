import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
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
    internal: (tenant) => make(tenant, 'system', 'none'),
    cleanup: (tenant) => ({ ...make(tenant, 'system', 'none'), durability: 'soon' }),
    outsideEdit: (tenant) => make(tenant, 'outside', 'row'),
  };
}
