import type { Call, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import {
  describeOnEngines as describeOnStores,
  type EngineFixture as PlantedStore,
} from '#kernel/jobs/engines.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { createWorkers } from '#kernel/workers/workers.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { openToolset } from '#tests/support/open-toolset.ts';
import { createNamespaces } from '../namespaces/namespaces.ts';
import type { Notebooks } from '../notebooks.ts';
import { notebooksToolset } from '../notebooks-toolset.ts';
import { createPadParts } from '../pads/pad-parts.ts';
import { createPads } from '../pads/pads.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { createChecks } from '../validation/checks.ts';
import { type Checker, createChecker } from '../validators/checker.ts';
import { createNotebookSearch } from './search.ts';

export interface MemoryOptions {
  readonly storage: Storage;
  readonly embedder?: Embedder;
  readonly checker?: Checker;
  readonly semanticSearch?: boolean;
  readonly validationTimeoutMs?: number;
  readonly maxScratchpads?: number;
}

/** The whole memory behind the real door: store, validators in threads, search by words and, with an embedder, by meaning. */
export function plantMemory(options: MemoryOptions) {
  const { storage, embedder } = options;
  const clock = createManualClock();
  const indexes = openIndexes(storage, clock, embedder);
  const { ids, log, search, meaning } = indexes;
  const workers = createWorkers({
    entry: new URL('../validation/validation-worker.fixture.ts', import.meta.url),
    threadsCount: 1,
  });
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
    storage,
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
  const meter = createToolMeter();
  const door = openToolset(notebooksToolset, domain, { clock, ids, meter });

  function as(tenant: TenantId) {
    const { ask, reach, call } = door.as(tenant);
    /** As the outside asks: the answer, or the fault is thrown. */
    const askOrThrow: Ask = async (name, args) => {
      const outcome = await reach(name, args);
      if (!outcome.ok) throw outcome.fault;
      return outcome.value;
    };
    const callOf = (tool?: string): Call => call(tool, { audit: 'none' });
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
      await indexes.close();
      await workers.close();
    },
  };
}

export interface EngineFixture extends PlantedStore {
  /** A memory for the rest of the describe block. */
  open(options?: Omit<MemoryOptions, 'storage'>): ReturnType<typeof plantMemory>;
}

/** Says the same of every engine. */
export const describeOnEngines = (title: string, tell: (engine: EngineFixture) => void): void =>
  describeOnStores(title, (engine) =>
    tell({ ...engine, open: (options) => engine.closeAtEnd(plantMemory({ storage: engine.storage(), ...options })) }),
  );
