import { afterAll, beforeAll, describe } from 'vitest';
import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import { createMeaning } from '#kernel/search/meaning/create-meaning.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { toFaultObject } from '#kernel/tool/print-fault.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { createWorkers } from '#kernel/workers/workers.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import type { Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { type Checker, createChecker } from '../checking/checker.ts';
import { createChecks } from '../checks/checks.ts';
import { createNamespaces } from '../namespaces/namespaces.ts';
import type { Notebooks } from '../notebooks.ts';
import { createPadParts } from '../pads/pad-parts.ts';
import { createPads } from '../pads/pads.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { notebooksToolset } from '../toolset.ts';
import { createNotebookSearch } from './search.ts';

export interface MemoryOptions {
  readonly storage: Storage;
  readonly embedder?: Embedder;
  readonly checker?: Checker;
  readonly semanticSearch?: boolean;
  readonly validationTimeoutMs?: number;
  readonly maxScratchpads?: number;
}

export type Told = Readonly<Record<string, unknown>>;

/** The whole memory behind the real door: store, validators in threads, search by words and, with an embedder, by meaning. */
export function plantMemory(options: MemoryOptions) {
  const { storage, embedder } = options;
  const clock = createManualClock();
  const ids = createIds(clock);
  const log = createKeptLog();
  const leases = createLeases({ storage, clock, ids });
  const search = createSearchIndex({ storage, leases, clock, ids, log });
  const meaning = createMeaning({ storage, leases, clock, ids, log, embedder: async () => embedder });
  const workers = createWorkers({ entry: new URL('../checks/planted.worker.ts', import.meta.url), threadsCount: 1 });
  const checks = createChecks({
    storage,
    log,
    checker: options.checker ?? createChecker({ workers }),
    validationTimeoutMs: options.validationTimeoutMs ?? 10_000,
  });
  const parts = createPadParts({
    storage,
    clock,
    ids,
    log,
    search,
    meaning,
    cursors: createCursors(Buffer.from('the cursors of a test')),
    checkWritten: checks.checkWritten,
    maxScratchpads: options.maxScratchpads ?? 0,
    maxCellsPerPad: 0,
    maxCellBytes: 0,
    evictionPolicy: 'fail',
    preemptAgeMs: 86_400_000,
    preemptIntervalMs: 600_000,
  });
  const domain: Notebooks = {
    pads: createPads(parts),
    namespaces: createNamespaces(parts),
    schemas: createSchemas({ storage, ids }),
    checks,
    search: createNotebookSearch({
      storage,
      search,
      meaning,
      semanticSearch: options.semanticSearch ?? true,
    }),
  };
  const bugs: unknown[] = [];
  const meter = createToolMeter();
  const invoke = createInvoke({
    registry: createRegistry(toCards(notebooksToolset), {
      notebooks: async () => bindToolset(notebooksToolset, domain),
    }),
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter,
    clock,
    ids,
    reportBug: ({ error }) => void bugs.push(error),
  });

  function as(tenant: TenantId) {
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    async function answer(name: string, args: unknown) {
      const outcome = await invoke({ name, args, caller });
      if (bugs.length > 0) throw bugs[0];
      return outcome;
    }
    /** The answer, or the fault as its family prints it. */
    async function ask(name: string, args: unknown = {}): Promise<Told> {
      const outcome = await answer(name, args);
      if (outcome.ok) return JSON.parse(outcome.text) as Told;
      return toFaultObject('flagged', outcome.fault, 'legacy', '') as Told;
    }
    /** As the outside asks: the answer, or the fault is thrown. */
    const askOrThrow: Ask = async (name, args) => {
      const outcome = await answer(name, args);
      if (!outcome.ok) throw outcome.fault;
      return outcome.value;
    };
    const callOf = (tool = 'test'): Call => ({
      ...caller,
      tool,
      audit: 'none',
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
      progress() {},
    });
    return { tenant, ask, askOrThrow, callOf };
  }

  return {
    ...domain,
    storage,
    clock,
    log,
    meter,
    searchIndex: search,
    meaning,
    as,
    async close() {
      await domain.pads.close();
      await meaning.close();
      await search.close();
      await workers.close();
    },
  };
}

export interface PlantedEngine {
  readonly name: string;
  storage(): Storage;
  /** A memory for the rest of the describe block. */
  open(options?: Omit<MemoryOptions, 'storage'>): ReturnType<typeof plantMemory>;
  newTenant(): TenantId;
}

/** Says the same of every engine; a rehearsing one runs each write twice. */
export function describeOnEngines(title: string, tell: (engine: PlantedEngine) => void): void {
  for (const engine of [sqliteEngine(true), postgresEngine(false)]) {
    describe(`${title} on ${engine.name}`, () => {
      const opened: { close(): Promise<unknown> }[] = [];
      let place: Place;
      let storage: Storage;
      beforeAll(async () => {
        place = await engine.create();
        storage = await place.open({ migrations, clock: createManualClock() });
      });
      afterAll(async () => {
        for (const one of opened) await one.close();
        await storage?.close();
        await place?.remove();
      });
      tell({
        name: engine.name,
        storage: () => storage,
        open(options = {}) {
          const memory = plantMemory({ storage, ...options });
          opened.push(memory);
          return memory;
        },
        newTenant,
      });
    });
  }
}
