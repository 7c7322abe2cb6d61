import type { Call, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { systemCall } from '../jobs/system-call.ts';
import { accessLimits } from './access-limits.ts';

/** The call under which this folder itself asks the store. */
export const toAccessCall = (clock: Clock, tool: string, tenant: TenantId, actor: string): Call =>
  systemCall(tool, {
    tenant,
    actor,
    audit: 'row',
    durability: 'now',
    deadlineAt: clock.now() + accessLimits.storeDeadlineMs,
  });
