import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { findTotals } from '../pads/pad-store.ts';

/** Values by label; a metric without a label has its one value under ''. */
export interface NotebookMetric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly label?: string;
  read(): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

export interface NotebookMetrics {
  /** Names and labels are documented (RULINGS R5); values are read at each scrape. */
  readonly metrics: readonly NotebookMetric[];
  evicted(policy: string, padsCount: number): void;
}

export interface NotebookMetricsDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Pick<ToolMeter, 'snapshot' | 'faultCounts'>;
  /** The tenants this process has served: a shared store does not list its tenants. */
  readonly tenants: () => Promise<readonly TenantId[]>;
}

const toolPrefix = 'scratch_';
const one = (value: number): ReadonlyMap<string, number> => new Map([['', value]]);

export function createNotebookMetrics({ storage, clock, log, meter, tenants }: NotebookMetricsDeps): NotebookMetrics {
  const startedAt = clock.now();
  const evictions = new Map<string, number>();
  let totals: { readonly at: number; readonly sums: Promise<{ pads: number; cells: number } | undefined> } | undefined;

  async function sum() {
    try {
      const sums = { pads: 0, cells: 0 };
      for (const tenant of await tenants()) {
        const row = await storage.read(systemCall('metrics', { tenant }), (db) => findTotals(db));
        sums.pads += row?.pads_count ?? 0;
        sums.cells += row?.cells_count ?? 0;
      }
      return sums;
    } catch (error) {
      // A scrape shows the other metrics even if the store is unavailable.
      log.warn({ err: error }, 'counting the scratchpads failed');
      return undefined;
    }
  }

  async function current(which: 'pads' | 'cells'): Promise<ReadonlyMap<string, number>> {
    // Both gauges of one scrape come from one query, and scrapes in quick succession share it.
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
        read: () =>
          new Map(
            meter
              .snapshot()
              .filter(({ method }) => method.startsWith(toolPrefix))
              .map(({ method, count }) => [method, count]),
          ),
      },
      {
        name: 'scratch_notebook_errors_total',
        help: 'Calls of scratchpad tools that ended in a fault, by fault code.',
        kind: 'counter',
        label: 'code',
        read: () => meter.faultCounts(toolPrefix),
      },
      {
        name: 'scratch_notebook_evictions_total',
        help: 'Scratchpads evicted to make space for others.',
        kind: 'counter',
        label: 'policy',
        read: () => evictions,
      },
      {
        name: 'scratch_notebook_scratchpads_current',
        help: 'Current number of scratchpads.',
        kind: 'gauge',
        read: () => current('pads'),
      },
      {
        name: 'scratch_notebook_cells_current',
        help: 'Current number of cells in all scratchpads.',
        kind: 'gauge',
        read: () => current('cells'),
      },
      {
        name: 'scratch_notebook_uptime_seconds',
        help: 'Time since the server started.',
        kind: 'gauge',
        read: () => one((clock.now() - startedAt) / 1000),
      },
    ],
    evicted: (policy, padsCount) => void evictions.set(policy, (evictions.get(policy) ?? 0) + padsCount),
  };
}
