import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openFamilyDoor } from '#tests/support/family-door.ts';
import { createSemanticNotes } from '#tests/support/semantic-notes.ts';
import { createNamespaces } from '../namespaces/namespaces.ts';
import type { Notebooks } from '../notebooks.ts';
import { exchangeTools, namespaceTools, padTools, schemaTools } from '../notebooks-toolset.ts';
import { createSchemas } from '../schemas/schemas.ts';
import type { WrittenCell } from '../validation/checks.ts';
import { createNotebookJobs } from './jobs.ts';
import { createPadParts } from './pad-parts.ts';
import { createPads } from './pads.ts';
import type { PadSettings } from './pads-deps.ts';

type Planted = Pick<Notebooks, 'pads' | 'namespaces' | 'schemas' | 'storage'>;

const toolset = defineToolset<Planted>({
  name: 'notebooks',
  faultForm: 'flagged',
  tools: [...padTools, ...namespaceTools, ...schemaTools, ...exchangeTools],
});

export interface PlantedOptions extends Partial<PadSettings> {
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

/** The real door, store and search index with the tools of pads behind it; only validators and vectors are planted. */
export function plantNotebooks({ storage, clock = createManualClock(), ...settings }: PlantedOptions) {
  const ids = createIds(clock);
  const log = createKeptLog();
  const search = createSearchIndex({ storage, leases: createLeases({ storage, clock, ids }), clock, ids, log });
  const checked: { readonly cells: readonly WrittenCell[]; readonly padKey: string }[] = [];
  const evictions: { readonly policy: string; readonly count: number }[] = [];
  const { meant, meaning } = createSemanticNotes();
  const parts = createPadParts({
    ...defaults,
    ...settings,
    storage,
    clock,
    ids,
    log,
    search,
    meaning,
    cursors: createCursors(Buffer.from('the cursors of a test')),
    async checkWritten(cells, padKey) {
      checked.push({ cells, padKey });
      return cells.map(({ cell_id, index, language }) => ({
        ...{ cell_id, cell_index: index, language },
        ...{ valid: true, errors: [], warnings: [] },
      }));
    },
    onEvicted: (policy, count) => void evictions.push({ policy, count }),
  });
  const domain: Planted = {
    pads: createPads(parts),
    namespaces: createNamespaces(parts),
    schemas: createSchemas({ storage, ids }),
    storage,
  };
  const { invoke, as } = openFamilyDoor(toolset, domain, { clock, ids });

  return {
    ...domain,
    parts,
    search,
    log,
    checked,
    meant,
    evictions,
    clock,
    invoke,
    as,
    jobs: (tenants: readonly TenantId[]) => createNotebookJobs(parts, async () => tenants),
    async close() {
      await domain.pads.close();
      await search.close();
    },
  };
}

export type PlantedNotebooks = ReturnType<typeof plantNotebooks>;
