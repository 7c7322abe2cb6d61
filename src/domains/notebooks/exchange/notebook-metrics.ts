import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { findTotals } from '../pads/pad-store.ts';

/** One figure under a name of its own. Values by label; without a label, the one value stands under ''. */
export interface NotebookMetric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly label?: string;
  read(): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

export interface NotebookMetrics {
  /** The names of the original (RULINGS R5); read at the moment of a scrape. */
  readonly metrics: readonly NotebookMetric[];
  /** Faults are counted by code for all tools together; this counts those of this memory's tools beside. */
  over(meter: ToolMeter): ToolMeter;
  evicted(policy: string, padsCount: number): void;
}

export interface NotebookMetricsDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Nobody may list the tenants of a shared store: these are those that this process has met. */
  readonly tenants: () => Promise<readonly TenantId[]>;
}

const toolPrefix = 'scratch_';
const one = (value: number): ReadonlyMap<string, number> => new Map([['', value]]);
const add = (counts: Map<string, number>, key: string, count: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);

export function createNotebookMetrics({ storage, clock, log, tenants }: NotebookMetricsDeps): NotebookMetrics {
  const startedAt = clock.now();
  const ops = new Map<string, number>();
  const errors = new Map<string, number>();
  const evictions = new Map<string, number>();
  let totals: { readonly at: number; readonly sums: Promise<{ pads: number; cells: number } | undefined> } | undefined;

  async function sum() {
    try {
      const sums = { pads: 0, cells: 0 };
      for (const tenant of await tenants()) {
        const row = await storage.read(systemCall('metrics', { tenant }), function* (db) {
          return yield* findTotals(db);
        });
        sums.pads += row?.pads_count ?? 0;
        sums.cells += row?.cells_count ?? 0;
      }
      return sums;
    } catch (error) {
      // A scrape shows the rest also when the store is away.
      log.warn({ err: error }, 'the scratchpads could not be counted');
      return undefined;
    }
  }

  async function current(which: 'pads' | 'cells'): Promise<ReadonlyMap<string, number>> {
    // Both figures of one scrape come from one look, and scrapes that follow each other closely share it.
    if (totals === undefined || clock.now() - totals.at >= notebookLimits.totalsTrustMs) {
      totals = { at: clock.now(), sums: sum() };
    }
    const sums = await totals.sums;
    return sums === undefined ? new Map() : one(sums[which]);
  }

  return {
    metrics: [
      {
        name: 'scratch_notebook_ops_total',
        help: 'Calls of scratchpad tools.',
        kind: 'counter',
        label: 'op',
        read: () => ops,
      },
      {
        name: 'scratch_notebook_errors_total',
        help: 'Calls of scratchpad tools that ended in a fault, by fault code.',
        kind: 'counter',
        label: 'code',
        read: () => errors,
      },
      {
        name: 'scratch_notebook_evictions_total',
        help: 'Scratchpads that made room for others.',
        kind: 'counter',
        label: 'policy',
        read: () => evictions,
      },
      {
        name: 'scratch_notebook_scratchpads_current',
        help: 'Scratchpads that are there now.',
        kind: 'gauge',
        read: () => current('pads'),
      },
      {
        name: 'scratch_notebook_cells_current',
        help: 'Cells of the scratchpads that are there now.',
        kind: 'gauge',
        read: () => current('cells'),
      },
      {
        name: 'scratch_notebook_uptime_seconds',
        help: 'How long the server has been running.',
        kind: 'gauge',
        read: () => one((clock.now() - startedAt) / 1000),
      },
    ],
    over: (meter) => ({
      ...meter,
      record(method, ms, faultCode) {
        meter.record(method, ms, faultCode);
        if (!method.startsWith(toolPrefix)) return;
        add(ops, method, 1);
        if (faultCode !== undefined) add(errors, faultCode, 1);
      },
    }),
    evicted: (policy, padsCount) => add(evictions, policy, padsCount),
  };
}
