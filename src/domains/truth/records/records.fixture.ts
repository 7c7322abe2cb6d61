import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { type Limiter, openLimiter } from '#kernel/limiter/limiter.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openFamilyDoor, type Told } from '#tests/support/family-door.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { describeTruth, type TruthEngine } from '../observations/truth.fixture.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { recordTools } from '../truth-toolset.ts';
import type { ShownRecord } from './record.ts';
import { createRecords, type Records } from './records.ts';
import type { RetrieveAnswer } from './retrieve-records.ts';

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

type Answer = Told & { readonly error?: { readonly code: string } };

/** Records behind the real door: store, search by words and, with an embedder, by meaning. */
export function plantRecords(options: PlantOptions) {
  const { storage, indexStorage = storage, embedder, clock = createManualClock() } = options;
  const { ids, log, search, meaning, close } = openIndexes(indexStorage, clock, embedder);
  const records = createRecords({ storage: toTruthStorage(storage), clock, ids, log, search, meaning });
  const door = openFamilyDoor(toolset, { records }, { clock, ids, limiter: options.limiter ?? openLimiter });

  function as(tenant: TenantId) {
    const { ask, good, call } = door.as(tenant);
    return {
      tenant,
      ask: ask<Answer>,
      callOf: call,
      store: (args: unknown) => good<ShownRecord>('store_record', args),
      update: (args: unknown) => good<ShownRecord>('update_record', args),
      retrieve: (args: unknown = {}) => good<RetrieveAnswer>('retrieve_records', args),
      async find(args: unknown = {}): Promise<readonly string[]> {
        return (await good<RetrieveAnswer>('retrieve_records', args)).records.map(({ id }) => id);
      },
      remove: (id: string) => good('delete_record', { id }),
      restore: (id: string) => good<ShownRecord>('restore_record', { id }),
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
    close,
  };
}

export interface PlantedEngine extends TruthEngine {
  /** Records for the rest of the describe block. */
  open(options?: Omit<PlantOptions, 'storage'>): ReturnType<typeof plantRecords>;
}

/** Says the same of every engine. */
export const describeOnEngines = (title: string, tell: (engine: PlantedEngine) => void): void =>
  describeTruth(title, (engine) =>
    tell({
      ...engine,
      open: (options) =>
        engine.closeAtEnd(plantRecords({ storage: engine.storage(), clock: engine.clock, ...options })),
    }),
  );
