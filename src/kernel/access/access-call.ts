import type { Call, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { accessLimits } from './access-limits.ts';

const never = new AbortController().signal;

/** The call under which this folder itself asks the store. */
export const toAccessCall = (clock: Clock, tool: string, tenant: TenantId, actor: string): Call => ({
  tenant,
  actor,
  scopes: new Set(),
  tool,
  audit: 'row',
  signal: never,
  deadlineAt: clock.now() + accessLimits.storeDeadlineMs,
  progress() {},
});
