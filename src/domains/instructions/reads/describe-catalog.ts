import type { Call } from '#kernel/call.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import type { CatalogState, CategoryCount } from '../catalog/catalog.ts';
import { runInSlices } from '../catalog/time-slices.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Capabilities } from '../tools/instructions-capabilities.ts';
import type { Categories } from '../tools/instructions-categories.ts';
import type { Directory } from '../tools/instructions-dir.ts';
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
    ...cut,
  };
}

async function modesOf({ regex, embeddings }: ReadsDeps, call: Call): Promise<readonly SearchMode[]> {
  const embedder = (await embeddings?.progress(call))?.embedder;
  return searchModes.filter((mode) => {
    if (mode === 'regex') return regex !== undefined;
    return mode === 'keyword' || embedder !== undefined;
  });
}

export const describeCapabilities = async (deps: ReadsDeps, call: Call): Promise<Capabilities> => ({
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
  searchModes: await modesOf(deps, call),
  limits: {
    maxBatchSize: instructionLimits.batchOperationsCount,
    maxQueryResults: instructionLimits.queryResultsCount,
    maxFileSize: instructionLimits.fileBytes,
  },
});
