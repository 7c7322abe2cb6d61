import { type Caller, localTenant, type Scope, type TenantId, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCountedIds } from '#kernel/ids/ids.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Change } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { type BugReport, createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { noPrompts } from '#kernel/tool/prompt.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { noResources } from '#kernel/tool/resource.ts';
import type { McpDeps } from '#surfaces/mcp/mcp-deps.ts';
import { forwardingCards, forwardingLoaders } from './forwarding-tools.ts';
import { type Sample, sampleToolsets } from './sample-tools.ts';

export const toCaller = (actor = 'tester', tenant: TenantId = localTenant, ...scopes: Scope[]): Caller => ({
  tenant,
  actor,
  scopes: new Set(scopes.length === 0 ? ['admin'] : scopes),
});

export const otherCaller: Caller = toCaller('other', toTenantId('elsewhere'));

export interface SampleServer {
  readonly deps: McpDeps;
  readonly sample: Sample;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly log: ReturnType<typeof createLogFixture>;
  readonly bugs: BugReport[];
  /** Releases every held call. */
  letGo(): void;
  /** Resolves when the next held call has begun. */
  whenBegun(): Promise<void>;
  readonly listenerCount: () => number;
}

/** Everything a surface gets in the real program, over the sample tools. */
export function createSampleServer(changes: Partial<McpDeps> = {}): SampleServer {
  const clock = createManualClock();
  const ids = createCountedIds();
  const log = createLogFixture();
  const bugs: BugReport[] = [];
  const listeners = new Map<(change: Change) => void, TenantId>();
  const held = Promise.withResolvers<void>();
  let begun = Promise.withResolvers<void>();
  let seq = 0;
  const sample: Sample = {
    notes: new Map(),
    stoppedCount: 0,
    held: held.promise,
    began() {
      begun.resolve();
      begun = Promise.withResolvers<void>();
    },
    changed(id, what) {
      seq += 1;
      for (const [listener, tenant] of listeners)
        if (tenant === localTenant) listener({ seq, topic: 'notes', id, what, hash: '' });
    },
  };
  const loaders = Object.fromEntries(sampleToolsets.map((set) => [set.name, async () => bindToolset(set, sample)]));
  const registry = createRegistry([...sampleToolsets.flatMap(toCards), ...forwardingCards], {
    ...loaders,
    ...forwardingLoaders,
  });
  const permits = { mutation: true, readOnly: false };
  const reportBug = (report: BugReport) => void bugs.push(report);
  const invoke = createInvoke({
    registry,
    permits,
    limiter: openLimiter,
    meter: createToolMeter(),
    clock,
    ids,
    reportBug,
  });
  const deps: McpDeps = {
    registry,
    invoke,
    permits,
    ids,
    clock,
    log,
    server: { name: 'sample', title: 'Sample', version: '1.2.3' },
    instructions: 'Use the sample tools.',
    listing: { toolNames: 'listed', toolsets: 'default', readOnly: false },
    answers: 'both',
    resources: noResources,
    prompts: noPrompts,
    changes: {
      subscribe(tenant, listener) {
        listeners.set(listener, tenant);
        return () => void listeners.delete(listener);
      },
    },
    httpSessions: true,
    ...changes,
  };
  return {
    deps,
    sample,
    clock,
    log,
    bugs,
    letGo: held.resolve,
    whenBegun: () => begun.promise,
    listenerCount: () => listeners.size,
  };
}
