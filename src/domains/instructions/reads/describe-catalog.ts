import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { CatalogState, CategoryCount } from '../catalog/catalog.ts';
import { runInBatches, runInSlices } from '../catalog/time-slices.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { isReviewOverdue } from '../rules/activity-filter.ts';
import { mappedFieldsOf } from '../rules/map-entry.ts';
import type { Capabilities } from '../tools/instructions-capabilities.ts';
import type { Categories } from '../tools/instructions-categories.ts';
import type { Directory } from '../tools/instructions-dir.ts';
import type { Health } from '../tools/instructions-health.ts';
import { actionsOf } from './dispatch.ts';
import { fitOffsetPage, type OffsetWindow } from './offset-pages.ts';
import type { ReadsDeps } from './reads-deps.ts';
import { type SearchMode, searchModes } from './search/search-hits.ts';

/** Grouping a large catalog takes a while the first time, so it runs in time slices. */
export async function categoriesIn(state: CatalogState, signal: AbortSignal): Promise<readonly CategoryCount[]> {
  await runInSlices(
    state.categorySteps?.() ?? [],
    () => {},
    () => {},
    signal,
  );
  return state.categories;
}

export async function listCategories({ catalog }: Pick<ReadsDeps, 'catalog'>, call: Call): Promise<Categories> {
  const state = await catalog.state(call);
  const categories = await categoriesIn(state, call.signal);
  return { categories, totalDistinct: categories.length, catalogHash: state.hash };
}

/** Values of other catalogs that were translated. Nothing if there are none. */
export function findMapped(entries: readonly InstructionEntry[]): Pick<Directory, 'mapped' | 'mappedCount'> {
  const mapped = entries.flatMap((entry) => mappedFieldsOf(entry).map((field) => ({ id: entry.id, ...field })));
  if (mapped.length === 0) return {};
  return { mappedCount: mapped.length, mapped: mapped.slice(0, instructionLimits.reportItemsCount) };
}

export async function listFiles(
  { catalog }: Pick<ReadsDeps, 'catalog'>,
  window: OffsetWindow,
  call: Call,
): Promise<Directory> {
  const [state, found] = await Promise.all([catalog.state(call), catalog.files(call)]);
  const names = found.map(({ file }) => file).sort();
  const { items: files, ...cut } = fitOffsetPage(names, window, jsonBytes);
  return {
    hash: state.hash,
    filesCount: names.length,
    files,
    totalBytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    problems: state.problems.slice(0, instructionLimits.reportItemsCount),
    ...findMapped(state.entries),
    ...cut,
  };
}

async function modesOf({ regex, embeddings }: ReadsDeps): Promise<readonly SearchMode[]> {
  const hasEmbedder = (await embeddings?.hasEmbedder()) === true;
  return searchModes.filter((mode) => {
    if (mode === 'regex') return regex !== undefined;
    return mode === 'keyword' || hasEmbedder;
  });
}

export const describeCapabilities = async (deps: ReadsDeps): Promise<Capabilities> => ({
  version: deps.version,
  protocolVersion: deps.protocolVersion,
  supportedActions: actionsOf(deps.cards),
  mutationEnabled: deps.permits.mutation && !deps.permits.readOnly,
  features: {
    advancedQuery: true,
    bulkOperations: true,
    governanceTracking: true,
    usageAnalytics: deps.isUsageOn(),
  },
  searchModes: await modesOf(deps),
  limits: {
    maxBatchSize: instructionLimits.batchOperationsCount,
    maxQueryResults: instructionLimits.queryResultsCount,
    maxFileSize: instructionLimits.fileBytes,
  },
});

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

const unreadableCatalog: Pick<Health, 'catalogStats' | 'diskUsage' | 'drift' | 'overdueReviews'> = {
  catalogStats: { totalInstructions: 0, totalCategories: 0, lastModified: null, integrityHash: '' },
  diskUsage: { totalSize: 0, availableSpace: 0 },
  drift: { snapshot: 'missing', count: 0, details: [] },
  overdueReviews: 0,
};

async function countOverdue({ clock }: ReadsDeps, { entries }: CatalogState, signal: AbortSignal): Promise<number> {
  const now = clock.now();
  let count = 0;
  await runInBatches(entries, signal, (part) => {
    for (const entry of part) if (isReviewOverdue(entry, now)) count += 1;
  });
  return count;
}

/** What waits for a person who looks after the catalog. */
export async function countDue(deps: ReadsDeps, call: Call) {
  const state = await deps.catalog.state(call);
  return { overdueCount: await countOverdue(deps, state, call.signal), problemsCount: state.problems.length };
}

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
      overdueReviews: await countOverdue(deps, state, call.signal),
      reasons,
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { status: 'unhealthy', ...baseReport, ...unreadableCatalog, reasons: [`${error.code}: ${error.message}`] };
  }
}
