import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { type Limiter, openLimiter } from '#kernel/limiter/limiter.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { openToolset, type ToolAnswer } from '#tests/support/open-toolset.ts';
import { describeTruth, type TruthEngine, testCursors } from '../truth.fixture.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { recordTools } from '../truth-toolset.ts';
import type { RecordView, RetrieveAnswer } from './record.ts';
import { createRecords, type Records } from './records.ts';

const toolset = defineToolset<{ readonly records: Records }>({
  name: 'truth',
  faultForm: 'traced',
  tools: recordTools,
});

export interface RecordsFixtureOptions {
  readonly storage: Storage;
  /** The storage of the indexes; differs only in tests that break it. */
  readonly indexStorage?: Storage;
  readonly embedder?: Embedder;
  readonly limiter?: Limiter;
  readonly clock?: ReturnType<typeof createManualClock>;
}

type Answer = ToolAnswer & { readonly error?: { readonly code: string } };

/** Records called through their tools, with keyword search and, with an embedder, semantic search. */
export function createRecordsFixture(options: RecordsFixtureOptions) {
  const { storage, indexStorage = storage, embedder, clock = createManualClock() } = options;
  const { ids, log, search, meaning, close } = openIndexes(indexStorage, clock, embedder);
  const records = createRecords({
    storage: toTruthStorage(storage),
    clock,
    ids,
    log,
    search,
    meaning,
    cursors: testCursors,
  });
  const client = openToolset(toolset, { records }, { clock, ids, limiter: options.limiter ?? openLimiter });

  function as(tenant: TenantId) {
    const { ask, good, call } = client.as(tenant);
    return {
      tenant,
      ask: ask<Answer>,
      callOf: call,
      store: (args: unknown) => good<RecordView>('store_record', args),
      update: (args: unknown) => good<RecordView>('update_record', args),
      retrieve: (args: unknown = {}) => good<RetrieveAnswer>('retrieve_records', args),
      async find(args: unknown = {}): Promise<readonly string[]> {
        return (await good<RetrieveAnswer>('retrieve_records', args)).records.map(({ id }) => id);
      },
      remove: (id: string) => good('delete_record', { id }),
      restore: (id: string) => good<RecordView>('restore_record', { id }),
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

export interface RecordsEngine extends TruthEngine {
  /** Closed at the end of the describe block. */
  open(options?: Omit<RecordsFixtureOptions, 'storage'>): ReturnType<typeof createRecordsFixture>;
}

/** Runs the tests on every engine. */
export const describeRecords = (title: string, define: (engine: RecordsEngine) => void): void =>
  describeTruth(title, (engine) =>
    define({
      ...engine,
      open: (options) =>
        engine.closeAtEnd(createRecordsFixture({ storage: engine.storage(), clock: engine.clock, ...options })),
    }),
  );
