import { afterAll } from 'vitest';
import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { type Limiter, openLimiter } from '#kernel/limiter/limiter.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import { createMeaning } from '#kernel/search/meaning/create-meaning.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { toFaultObject } from '#kernel/tool/print-fault.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { describeTruth, type TruthEngine } from '../observe/planted-truth.ts';
import { toTruthStorage } from '../truth-storage.ts';
import type { ShownRecord } from './record.ts';
import { createRecords, type Records } from './records.ts';
import type { RetrieveAnswer } from './retrieve-records.ts';
import { recordTools } from './tools.ts';

const toolset = defineToolset<{ readonly records: Records }>({
  name: 'truth',
  faultForm: 'traced',
  tools: recordTools,
});

export interface PlantOptions {
  readonly storage: Storage;
  /** What the indexes ask; the same unless a test breaks it. */
  readonly indexStorage?: Storage;
  readonly embedder?: Embedder;
  readonly limiter?: Limiter;
  readonly clock?: ReturnType<typeof createManualClock>;
}

export type Told = Readonly<Record<string, unknown>> & { readonly error?: { readonly code: string } };

/** Records behind the real door: store, search by words and, with an embedder, by meaning. */
export function plantRecords(options: PlantOptions) {
  const { storage, indexStorage = storage, embedder, clock = createManualClock() } = options;
  const ids = createIds(clock);
  const log = createKeptLog();
  const leases = createLeases({ storage: indexStorage, clock, ids });
  const search = createSearchIndex({ storage: indexStorage, leases, clock, ids, log });
  const meaning = createMeaning({ storage: indexStorage, leases, clock, ids, log, embedder: async () => embedder });
  const records = createRecords({ storage: toTruthStorage(storage), clock, ids, log, search, meaning });
  const bugs: unknown[] = [];
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), { truth: async () => bindToolset(toolset, { records }) }),
    permits: { mutation: true, readOnly: false },
    limiter: options.limiter ?? openLimiter,
    meter: createToolMeter(),
    clock,
    ids,
    reportBug: ({ error }) => void bugs.push(error),
  });

  function as(tenant: TenantId) {
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    async function reach(name: string, args: unknown) {
      const outcome = await invoke({ name, args, caller });
      if (bugs.length > 0) throw bugs[0];
      return outcome;
    }
    /** The answer, or the fault as its family prints it. */
    async function ask(name: string, args: unknown = {}): Promise<Told> {
      const outcome = await reach(name, args);
      if (outcome.ok) return JSON.parse(outcome.text) as Told;
      return toFaultObject('traced', outcome.fault, 'legacy', 'trace') as Told;
    }
    async function good<T>(name: string, args: unknown): Promise<T> {
      const outcome = await reach(name, args);
      if (!outcome.ok) throw new Error(`${name}: ${outcome.fault.code} ${outcome.fault.message}`);
      return JSON.parse(outcome.text) as T;
    }
    return {
      tenant,
      ask,
      store: (args: unknown) => good<ShownRecord>('store_record', args),
      update: (args: unknown) => good<ShownRecord>('update_record', args),
      retrieve: (args: unknown = {}) => good<RetrieveAnswer>('retrieve_records', args),
      async find(args: unknown = {}): Promise<readonly string[]> {
        return (await good<RetrieveAnswer>('retrieve_records', args)).records.map(({ id }) => id);
      },
      remove: (id: string) => good<Told>('delete_record', { id }),
      restore: (id: string) => good<ShownRecord>('restore_record', { id }),
      callOf: (tool = 'test'): Call => ({
        ...caller,
        tool,
        audit: 'row',
        signal: new AbortController().signal,
        deadlineAt: Number.POSITIVE_INFINITY,
        progress() {},
      }),
    };
  }

  return {
    records,
    storage,
    clock,
    log,
    search,
    meaning,
    as,
    async close() {
      await meaning.close();
      await search.close();
    },
  };
}

export interface PlantedEngine extends TruthEngine {
  /** Records for the rest of the describe block. */
  open(options?: Omit<PlantOptions, 'storage'>): ReturnType<typeof plantRecords>;
}

/** Says the same of every engine. */
export const describeOnEngines = (title: string, tell: (engine: PlantedEngine) => void): void =>
  describeTruth(title, (engine) => {
    const opened: { close(): Promise<unknown> }[] = [];
    afterAll(async () => {
      for (const one of opened) await one.close();
    });
    tell({
      ...engine,
      open(options = {}) {
        const planted = plantRecords({ storage: engine.storage(), clock: engine.clock, ...options });
        opened.push(planted);
        return planted;
      },
    });
  });
