import type { TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';

const recentLimits = { callsCount: 20, tenantsCount: 1_000 } as const;

/** Equal calls that follow each other are one line. */
interface CallLine {
  readonly at: number;
  readonly actor: string;
  readonly tool: string;
  readonly memory: string;
  readonly ok: boolean;
  readonly count: number;
}

export type RecentCalls = ReturnType<typeof createRecentCalls>;

const isSame = (a: CallLine, b: CallLine): boolean => a.actor === b.actor && a.tool === b.tool && a.ok === b.ok;

/**
 * The last calls of each tenant in this process, for the start page. They are kept in memory only: the store has sums per
 * hour, and the audit trail has every change. Calls of people in a browser are left out, because their pages make many.
 */
export function createRecentCalls({ clock }: { readonly clock: Clock }) {
  /** Newest first; the tenant that was quiet for longest comes first. */
  const kept = new Map<TenantId, readonly CallLine[]>();

  function record(tenant: TenantId, line: CallLine): void {
    const [newest, ...older] = kept.get(tenant) ?? [];
    const lines =
      newest !== undefined && isSame(newest, line)
        ? [{ ...line, count: newest.count + 1 }, ...older]
        : [line, ...(newest === undefined ? [] : [newest]), ...older].slice(0, recentLimits.callsCount);
    kept.delete(tenant);
    kept.set(tenant, lines);
    if (kept.size > recentLimits.tenantsCount) kept.delete(kept.keys().next().value!);
  }

  return {
    track:
      (invoke: Invoke): Invoke =>
      (invocation) => {
        const running = invoke(invocation);
        const { tenant, actor, isSignedIn } = invocation.caller;
        if (isSignedIn) return running;
        running.then(
          ({ ok, card }) => {
            if (card === undefined) return;
            record(tenant, { at: clock.now(), actor, tool: card.name, memory: card.toolset, ok, count: 1 });
          },
          () => {},
        );
        return running;
      },
    list: (tenant: TenantId) => (kept.get(tenant) ?? []).map(({ at, ...line }) => ({ ...line, at: toIso(at) })),
  };
}
