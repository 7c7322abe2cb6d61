import type { Log } from '#kernel/log/log.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';

export interface CallLogSettings {
  readonly everyCall: boolean;
  readonly writes: boolean;
}

/** One line a call: who called what, how long it took, how it ended. Never arguments: they may hold secrets. */
export function logCalls(invoke: Invoke, log: Log, { everyCall, writes }: CallLogSettings): Invoke {
  if (!everyCall && !writes) return invoke;
  return async (invocation) => {
    const startedAt = performance.now();
    const outcome = await invoke(invocation);
    const isWrite = outcome.card !== undefined && outcome.card.effect !== 'read';
    if (everyCall || isWrite) {
      const { tenant, actor } = invocation.caller;
      const fields = {
        tool: outcome.card?.name ?? invocation.name,
        tenant,
        actor,
        ms: Math.round(performance.now() - startedAt),
      };
      log.info(outcome.ok ? fields : { ...fields, fault: outcome.fault.code }, 'call');
    }
    return outcome;
  };
}
