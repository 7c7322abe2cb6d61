import type { Call } from '#kernel/call.ts';

/**
 * The same caller, for a write that changes no item: it leaves no audit row. It has no idempotency key either, because it is
 * another call for the store, whose first write would take the key of the first write of the one it came from.
 */
export function withoutAudit(call: Call): Call {
  const { idempotencyKey, requestHash, ...rest } = call;
  return { ...rest, audit: 'none' };
}
