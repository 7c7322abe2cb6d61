import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { categoriesIn } from './describe-catalog.ts';
import { inTurns } from './in-turns.ts';
import type { ReadsDeps } from './reads-deps.ts';

export interface Drift {
  readonly snapshot: 'present' | 'missing' | 'invalid';
  readonly count: number;
  readonly details: readonly { readonly id: string; readonly change: 'added' | 'removed' | 'hash-mismatch' }[];
}

export interface Health {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly version: string;
  /** Seconds. */
  readonly uptime: number;
  readonly catalogStats: {
    readonly totalInstructions: number;
    readonly totalCategories: number;
    readonly lastModified: string | null;
    readonly integrityHash: string;
  };
  readonly performance: { readonly avgResponseTime: number; readonly requestCount: number; readonly errorRate: number };
  readonly diskUsage: { readonly totalSize: number; readonly availableSpace: number };
  readonly drift: Drift;
  /** Why it is not healthy. */
  readonly reasons: readonly string[];
}

function measure(meter: ToolMeter): Health['performance'] {
  const total = { count: 0, errors: 0, ms: 0 };
  for (const { count, errors, avgMs } of meter.snapshot()) {
    total.count += count;
    total.errors += errors;
    total.ms += avgMs * count;
  }
  const { count, errors, ms } = total;
  return {
    avgResponseTime: count === 0 ? 0 : ms / count,
    requestCount: count,
    errorRate: count === 0 ? 0 : errors / count,
  };
}

async function findDrift(deps: Pick<ReadsDeps, 'readSnapshot'>, call: Call, state: CatalogState): Promise<Drift> {
  const snapshot = await deps.readSnapshot(call);
  if (typeof snapshot === 'string') return { snapshot, count: 0, details: [] };
  const left = new Map<string, string>();
  const details: Drift['details'][number][] = [];
  await inTurns(snapshot.items, call.signal, (part) => {
    for (const { id, sourceHash } of part) left.set(id, sourceHash);
  });
  await inTurns(state.entries, call.signal, (part) => {
    for (const { id, sourceHash } of part) {
      const held = left.get(id);
      left.delete(id);
      if (held === undefined) details.push({ id, change: 'added' });
      else if (held !== sourceHash) details.push({ id, change: 'hash-mismatch' });
    }
  });
  for (const id of left.keys()) details.push({ id, change: 'removed' });
  details.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { snapshot: 'present', count: details.length, details: details.slice(0, instructionLimits.reportItemsCount) };
}

/** A disk that cannot be measured is no reason to say nothing. */
async function measureDisk({ catalog, diskUsage }: ReadsDeps, call: Call): Promise<Health['diskUsage']> {
  const measured = await diskUsage?.().catch(() => undefined);
  if (measured !== undefined) return measured;
  const files = await catalog.files(call);
  return { totalSize: files.reduce((sum, { bytes }) => sum + bytes, 0), availableSpace: 0 };
}

const unreadableCatalog: Pick<Health, 'catalogStats' | 'diskUsage' | 'drift'> = {
  catalogStats: { totalInstructions: 0, totalCategories: 0, lastModified: null, integrityHash: '' },
  diskUsage: { totalSize: 0, availableSpace: 0 },
  drift: { snapshot: 'missing', count: 0, details: [] },
};

function reasonsOf({ problems }: CatalogState, { snapshot, count }: Drift): readonly string[] {
  return [
    ...(problems.length > 0 ? [`${problems.length} files are not served; instructions/dir names them`] : []),
    ...(snapshot === 'invalid' ? ['the snapshot cannot be read'] : []),
    ...(count > 0 ? [`${count} entries are not as in the snapshot`] : []),
  ];
}

/** Answers also when the catalog cannot be read: that is when somebody asks. */
export async function checkHealth(deps: ReadsDeps, call: Call): Promise<Health> {
  const baseReport = { version: deps.version, uptime: performance.now() / 1000, performance: measure(deps.meter) };
  try {
    const state = await deps.catalog.state(call);
    const [drift, diskUsage] = await Promise.all([findDrift(deps, call, state), measureDisk(deps, call)]);
    const reasons = reasonsOf(state, drift);
    const catalogStats = {
      totalInstructions: state.count,
      totalCategories: (await categoriesIn(state, call.signal)).length,
      lastModified: state.lastModified ?? null,
      integrityHash: state.hash,
    };
    return {
      status: reasons.length > 0 ? 'degraded' : 'healthy',
      ...baseReport,
      catalogStats,
      diskUsage,
      drift,
      reasons,
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { status: 'unhealthy', ...baseReport, ...unreadableCatalog, reasons: [`${error.code}: ${error.message}`] };
  }
}
