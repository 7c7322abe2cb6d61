import { onTestFinished } from 'vitest';
import { type Call, type Caller, type Scope, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createFeatures } from '#kernel/features/features.ts';
import { createCountedIds, createIds } from '#kernel/ids/ids.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { poolEntry } from '#kernel/workers/pool-entry.ts';
import { createRegexRunner } from '#kernel/workers/regex-runner.ts';
import { createWorkers } from '#kernel/workers/workers.ts';
import { createEntry, createMemoryCatalog, type MemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { createFeedback } from '../feedback/feedback.ts';
import { createGates } from '../gates/gates.ts';
import type { Instructions } from '../instructions.ts';
import { feedbackTools, gateTools, integrityTools, reviewTools, usageTools } from '../instructions-toolset.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { createReview } from '../review/review.ts';
import { createRuleRecords } from '../serving/rule-records.ts';
import { createServing } from '../serving/serving.ts';
import { createUsage } from './usage.ts';

type Quality = Pick<Instructions, 'usage' | 'feedback' | 'review' | 'gates' | 'integrity'>;

const toolset = defineToolset<Quality>({
  name: 'quality',
  faultForm: 'numeric',
  tools: [...usageTools, ...feedbackTools, ...reviewTools, ...gateTools, ...integrityTools],
});

export interface QualityOptions {
  readonly storage?: Storage;
  readonly tenant?: string;
  readonly catalog?: MemoryCatalog;
  readonly files?: Readonly<Record<string, string>>;
  readonly features?: readonly string[];
  readonly mutation?: boolean;
  readonly isLimited?: boolean;
  readonly isClamped?: boolean;
  readonly maxEntries?: number;
  readonly canonicalOff?: boolean;
  readonly clock?: ReturnType<typeof createManualClock>;
}

const noStorage = new Proxy({} as Storage, {
  get: () => {
    throw new Error('this test has no store');
  },
});

/** The usage, feedback, review, gates and integrity tools, called through the real `invoke`. */
export function openQuality(options: QualityOptions = {}) {
  const storage = options.storage ?? noStorage;
  const clock = options.clock ?? createManualClock();
  const catalog = options.catalog ?? createMemoryCatalog(createEntry({ id: 'alpha' }), createEntry({ id: 'beta' }));
  const features = createFeatures(options.features);
  const log = createLogFixture();
  const files = new Map(Object.entries(options.files ?? {}));
  const readConfigFile = async (name: string) => files.get(name);
  const workers = createWorkers({ entry: poolEntry, threadsCount: 2 });
  onTestFinished(() => workers.close());
  const serving = createServing({ storage, clock, log, workspace: undefined, isOn: () => true });
  const records = createRuleRecords({ storage, clock, serving });
  const domain: Quality = {
    usage: createUsage({
      storage,
      serving,
      records,
      catalog,
      features,
      ids: createCountedIds(),
      isLimited: options.isLimited ?? true,
      isClamped: options.isClamped ?? true,
    }),
    feedback: createFeedback({
      storage,
      ids: createIds(clock),
      log,
      maxEntries: options.maxEntries ?? 1_000,
      feedbackDir: 'feedback',
    }),
    review: createReview({ readConfigFile, regex: createRegexRunner(workers) }),
    gates: createGates({ catalog, readConfigFile, clock, records }),
    integrity: createIntegrity({ catalog, readConfigFile, canonicalOff: options.canonicalOff ?? false }),
  };
  const bugs: unknown[] = [];
  const cards = toCards(toolset);
  const invoke = createInvoke({
    registry: createRegistry(cards, { quality: async () => bindToolset(toolset, domain) }),
    permits: { mutation: options.mutation ?? true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    clock,
    ids: createCountedIds(),
    reportBug: ({ error }) => void bugs.push(error),
  });
  const scopes: readonly Scope[] = ['admin'];
  const caller: Caller = {
    tenant: toTenantId(options.tenant ?? 'local'),
    actor: 'ada',
    scopes: new Set(scopes),
  };
  return {
    ...domain,
    serving,
    records,
    catalog,
    clock,
    features,
    log,
    files,
    cards,
    bugs,
    /** A call for functions that have no tool. */
    caller,
    callOf: (tool: string, audit: Call['audit'] = 'none'): Call => ({
      ...caller,
      tool,
      audit,
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
      progress() {},
    }),
    /** Returns the value, or the fault's code and message as `fault`. */
    async ask(name: string, args: unknown = {}, idempotencyKey?: string): Promise<Record<string, unknown>> {
      const outcome = await invoke({ name, args, caller, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
      if (bugs.length > 0) throw bugs[0];
      if (outcome.ok) return JSON.parse(outcome.text) as Record<string, unknown>;
      const { code, message, details, kind } = outcome.fault;
      return { fault: code, rpc: kind.rpc, message, details };
    },
  };
}
