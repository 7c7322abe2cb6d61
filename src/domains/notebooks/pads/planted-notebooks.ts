import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import type { Collection } from '#kernel/search/collection.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import type { Step, Storage } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { toFaultObject } from '#kernel/tool/print-fault.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import type { WrittenCell } from '../checks/checks.ts';
import { createNamespaces } from '../namespaces/namespaces.ts';
import { namespaceTools } from '../namespaces/tools.ts';
import type { Notebooks } from '../notebooks.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { schemaTools } from '../schemas/tools.ts';
import { createNotebookJobs } from './jobs.ts';
import { createPadParts } from './pad-parts.ts';
import { createPads } from './pads.ts';
import type { PadSettings } from './pads-deps.ts';
import { padTools } from './tools.ts';

type Planted = Pick<Notebooks, 'pads' | 'namespaces' | 'schemas'>;

const toolset = defineToolset<Planted>({
  name: 'notebooks',
  faultForm: 'flagged',
  tools: [...padTools, ...namespaceTools, ...schemaTools],
});

const nothing: Step<void> = { *[Symbol.iterator]() {} };

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

/** The answer, or the fault as its family prints it. */
export type Told = Readonly<Record<string, unknown>>;

/** The real door, store and search index with the tools of pads behind it; only validators and vectors are planted. */
export function plantNotebooks({ storage, clock = createManualClock(), ...settings }: PlantedOptions) {
  const ids = createIds(clock);
  const log = createKeptLog();
  const search = createSearchIndex({ storage, leases: createLeases({ storage, clock, ids }), clock, ids, log });
  const checked: { readonly cells: readonly WrittenCell[]; readonly padKey: string }[] = [];
  const meant: { readonly what: 'note' | 'forget'; readonly ids: readonly string[] }[] = [];
  const evictions: { readonly policy: string; readonly count: number }[] = [];
  const keep =
    (what: 'note' | 'forget') =>
    (_db: unknown, _collection: Collection, ...noted: string[]) => {
      meant.push({ what, ids: noted });
      return nothing;
    };
  const parts = createPadParts({
    ...defaults,
    ...settings,
    storage,
    clock,
    ids,
    log,
    search,
    meaning: { note: keep('note'), forget: keep('forget') },
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
  };
  const bugs: unknown[] = [];
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), { notebooks: async () => bindToolset(toolset, domain) }),
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    clock,
    ids,
    reportBug: ({ error }) => void bugs.push(error),
  });

  /** Of one tenant. */
  function as(tenant: TenantId) {
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    const call = (tool = 'test', part: Partial<Call> = {}): Call => ({
      ...caller,
      tool,
      audit: 'row',
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
      progress() {},
      ...part,
    });
    return {
      tenant,
      call,
      async ask(name: string, args: unknown = {}, idempotencyKey?: string): Promise<Told> {
        const outcome = await invoke({
          ...{ name, args, caller },
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        if (bugs.length > 0) throw bugs[0];
        if (outcome.ok) return JSON.parse(outcome.text) as Told;
        return toFaultObject('flagged', outcome.fault, 'legacy', '') as Told;
      },
    };
  }

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
