import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Health } from '../tools/instructions-health.ts';
import { categoriesIn } from './describe-catalog.ts';
import type { ReadsDeps } from './reads-deps.ts';

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

async function findDrift(
  { compareWithManifest }: Pick<ReadsDeps, 'compareWithManifest'>,
  call: Call,
): Promise<Health['drift']> {
  const { manifest, drift, details } = await compareWithManifest(call);
  return { snapshot: manifest, count: drift, details: details.slice(0, instructionLimits.reportItemsCount) };
}

/** Falls back to the size of the catalog when the disk cannot be measured. */
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

function reasonsOf({ problems }: CatalogState, { snapshot, count }: Health['drift']): readonly string[] {
  return [
    ...(problems.length > 0 ? [`${problems.length} files are not served; instructions/dir lists them`] : []),
    ...(snapshot === 'invalid' ? ['the snapshot cannot be read'] : []),
    ...(count > 0 ? [`${count} entries differ from the snapshot`] : []),
  ];
}

/** Also answers when the catalog cannot be read. */
export async function checkHealth(deps: ReadsDeps, call: Call): Promise<Health> {
  const baseReport = { version: deps.version, uptime: performance.now() / 1000, performance: measure(deps.meter) };
  try {
    const state = await deps.catalog.state(call);
    const [drift, diskUsage] = await Promise.all([findDrift(deps, call), measureDisk(deps, call)]);
    const storeProblem = await deps.storeProblem?.();
    const reasons = [
      ...reasonsOf(state, drift),
      ...(storeProblem === undefined ? [] : [`the store does not accept writes: ${storeProblem}`]),
    ];
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
