import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { toCards } from '#kernel/tool/card.ts';
import { toFaultObject } from '#kernel/tool/fault-forms.ts';
import { createInvoke, type Invocation, type InvokeDeps, type Outcome } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import type { Toolset } from '#kernel/tool/tool.ts';

/** An answer, or a fault in the format of its toolset. */
export type ToolAnswer = Readonly<Record<string, unknown>>;

type InvokeParts = Pick<InvokeDeps, 'clock' | 'ids'> & Partial<Pick<InvokeDeps, 'limiter' | 'meter'>>;

/** Calls one toolset through the real `invoke`, with every scope. A bug in a tool fails the test. */
export function openToolset<D>(toolset: Toolset<D>, domain: D, parts: InvokeParts) {
  const { name: family, faultForm } = toolset;
  const bugs: unknown[] = [];
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), { [family]: async () => bindToolset(toolset, domain) }),
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    ...parts,
    reportBug: ({ error }) => void bugs.push(error),
  });

  function as(tenant: TenantId) {
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    async function reach(name: string, args: unknown = {}, extra: Partial<Invocation> = {}): Promise<Outcome> {
      const outcome = await invoke({ name, args, caller, ...extra });
      if (bugs.length > 0) throw bugs[0];
      return outcome;
    }
    return {
      tenant,
      reach,
      /** For operations of a domain that are not tools. */
      call: (tool = 'test', part: Partial<Call> = {}): Call => ({
        ...caller,
        tool,
        audit: 'row',
        signal: new AbortController().signal,
        deadlineAt: Number.POSITIVE_INFINITY,
        progress() {},
        ...part,
      }),
      async ask<T extends object = ToolAnswer>(name: string, args?: unknown, extra?: Partial<Invocation>): Promise<T> {
        const outcome = await reach(name, args, extra);
        if (outcome.ok) return JSON.parse(outcome.text) as T;
        const { fault } = outcome;
        return (
          faultForm === 'plain'
            ? { code: fault.code, error: fault.message }
            : toFaultObject(faultForm, fault, 'legacy', 'trace')
        ) as T;
      },
      /** Returns the answer; a fault fails the test. */
      async good<T extends object = ToolAnswer>(name: string, args?: unknown): Promise<T> {
        const outcome = await reach(name, args);
        if (!outcome.ok) throw new Error(`${name}: ${outcome.fault.code} ${outcome.fault.message}`);
        return JSON.parse(outcome.text) as T;
      },
    };
  }

  return { invoke, bugs, as };
}
