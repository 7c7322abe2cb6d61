import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { openToolset } from '#tests/support/open-toolset.ts';
import { createSemanticNotes } from '#tests/support/semantic-notes.ts';
import { createNotebooks } from '../notebooks.ts';
import { notebooksToolset } from '../notebooks-toolset.ts';
import type { CellToValidate } from '../validation/validation-task.ts';
import type { PadSettings } from './pad-context.ts';

export interface PadsFixtureOptions extends Partial<PadSettings> {
  readonly storage: Storage;
  readonly clock?: ReturnType<typeof createManualClock>;
}

const defaults: PadSettings = {
  maxScratchpads: 1024,
  maxCellsPerPad: 1024,
  maxCellBytes: 5 * 1024 * 1024,
  evictionPolicy: 'fail',
  preemptAgeMs: 86_400_000,
  preemptIntervalMs: 600_000,
};

/** Real tools, store and keyword index; validation and embedding only record their input. */
export function createPadsFixture({ storage, clock = createManualClock(), ...settings }: PadsFixtureOptions) {
  const indexes = openIndexes(storage, clock);
  const { ids, log, search } = indexes;
  const validated: CellToValidate[] = [];
  const evictions: { readonly policy: string; readonly count: number }[] = [];
  const { meant, meaning } = createSemanticNotes();
  let tenants: readonly TenantId[] = [];
  const notebooks = createNotebooks({
    ...defaults,
    ...settings,
    storage,
    clock,
    ids,
    log,
    search,
    meaning: { ...indexes.meaning, ...meaning },
    cursors: createCursors(Buffer.from('the cursors of a test')),
    pool: {
      async validate(_call, cells) {
        validated.push(...cells);
        return cells.map(({ cellId, index, language }) => ({
          ...{ cell_id: cellId, cell_index: index, language },
          ...{ valid: true, errors: [], warnings: [] },
        }));
      },
    },
    validationTimeoutMs: 10_000,
    semanticSearch: true,
    tenants: async () => tenants,
    onEvicted: (policy, count) => void evictions.push({ policy, count }),
  });
  const { invoke, as } = openToolset(notebooksToolset, notebooks, { clock, ids });

  return {
    ...notebooks,
    storage,
    searchIndex: search,
    log,
    validated,
    meant,
    evictions,
    clock,
    invoke,
    as,
    jobsOf(forTenants: readonly TenantId[]) {
      tenants = forTenants;
      return notebooks.jobs;
    },
    async close() {
      await notebooks.close();
      await indexes.close();
    },
  };
}

export type PadsFixture = ReturnType<typeof createPadsFixture>;
