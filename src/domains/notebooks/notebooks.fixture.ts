import type { Call, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { describeOnEngines as describeOnStores, type EngineFixture } from '#kernel/jobs/engines.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { createWorkers } from '#kernel/workers/workers.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { openToolset } from '#tests/support/open-toolset.ts';
import { createNotebooks } from './notebooks.ts';
import { notebooksToolset } from './notebooks-toolset.ts';
import { createValidationPool, type ValidationPool } from './validation/validation-pool.ts';

export interface NotebooksFixtureOptions {
  readonly storage: Storage;
  readonly embedder?: Embedder;
  readonly pool?: ValidationPool;
  readonly semanticSearch?: boolean;
  readonly validationTimeoutMs?: number;
  readonly maxScratchpads?: number;
}

/** Real tools, store, validation in a thread, keyword search and, with an embedder, semantic search. */
export function createNotebooksFixture({ storage, embedder, ...options }: NotebooksFixtureOptions) {
  const clock = createManualClock();
  const indexes = openIndexes(storage, clock, embedder);
  const { ids, log, search, meaning } = indexes;
  const workers = createWorkers({
    entry: new URL('./validation/validation-worker.fixture.ts', import.meta.url),
    threadsCount: 1,
  });
  const notebooks = createNotebooks({
    storage,
    clock,
    ids,
    log,
    search,
    meaning,
    cursors: createCursors(Buffer.from('the cursors of a test')),
    pool: createValidationPool({ workers }),
    validationTimeoutMs: 10_000,
    semanticSearch: true,
    tenants: async () => [],
    maxScratchpads: 0,
    maxCellsPerPad: 0,
    maxCellBytes: 0,
    evictionPolicy: 'fail',
    preemptAgeMs: 86_400_000,
    preemptIntervalMs: 600_000,
    ...options,
  });
  const meter = createToolMeter();
  const door = openToolset(notebooksToolset, notebooks, { clock, ids, meter });

  function as(tenant: TenantId) {
    const { ask, reach, call } = door.as(tenant);
    /** Throws the fault of a failed call. */
    const askOrThrow: Ask = async (name, args) => {
      const outcome = await reach(name, args);
      if (!outcome.ok) throw outcome.fault;
      return outcome.value;
    };
    const callOf = (tool?: string): Call => call(tool, { audit: 'none' });
    return { tenant, ask, askOrThrow, callOf };
  }

  return {
    ...notebooks,
    storage,
    clock,
    log,
    meter,
    searchIndex: search,
    meaning,
    as,
    async close() {
      await notebooks.close();
      await indexes.close();
      await workers.close();
    },
  };
}

export interface NotebooksEngine extends EngineFixture {
  /** The fixture is closed after the describe block. */
  open(options?: Omit<NotebooksFixtureOptions, 'storage'>): ReturnType<typeof createNotebooksFixture>;
}

export const describeOnEngines = (
  title: string,
  define: (engine: NotebooksEngine) => void,
  rows: 'intact' | 'damaged' = 'intact',
): void =>
  describeOnStores(
    title,
    (engine) =>
      define({
        ...engine,
        open: (options) => engine.closeAtEnd(createNotebooksFixture({ storage: engine.storage(), ...options })),
      }),
    undefined,
    rows,
  );
