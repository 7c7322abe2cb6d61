import { afterAll, beforeAll, describe } from 'vitest';
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
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import type { Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
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
    /** The answer, or the fault as its family prints it. */
    async function ask(name: string, args: unknown = {}): Promise<Told> {
      const outcome = await invoke({ name, args, caller });
      if (bugs.length > 0) throw bugs[0];
      if (outcome.ok) return JSON.parse(outcome.text) as Told;
      return toFaultObject('traced', outcome.fault, 'legacy', 'trace') as Told;
    }
    async function good<T>(name: string, args: unknown): Promise<T> {
      const told = await ask(name, args);
      if (told.error !== undefined) throw new Error(`${name}: ${JSON.stringify(told.error)}`);
      return told as unknown as T;
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

export interface PlantedEngine {
  readonly name: string;
  storage(): Storage;
  place(): Place;
  /** Records for the rest of the describe block. */
  open(options?: Omit<PlantOptions, 'storage'>): ReturnType<typeof plantRecords>;
  newTenant(): TenantId;
}

/** Says the same of every engine; a rehearsing one runs each write twice. */
export function describeOnEngines(title: string, tell: (engine: PlantedEngine) => void): void {
  for (const engine of [sqliteEngine(true), postgresEngine(false)]) {
    describe(`${title} on ${engine.name}`, () => {
      const opened: { close(): Promise<unknown> }[] = [];
      const clock = createManualClock();
      let place: Place;
      let storage: Storage;
      beforeAll(async () => {
        place = await engine.create();
        storage = await place.open({ migrations, clock });
      });
      afterAll(async () => {
        for (const one of opened) await one.close();
        await storage?.close();
        await place?.remove();
      });
      tell({
        name: engine.name,
        storage: () => storage,
        place: () => place,
        open(options = {}) {
          const planted = plantRecords({ storage, clock, ...options });
          opened.push(planted);
          return planted;
        },
        newTenant,
      });
    });
  }
}
