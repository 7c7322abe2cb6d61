import type { Call } from '#kernel/call.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import type { CatalogProblem, CategoryCount } from '../catalog/catalog.ts';
import { catalogLimits } from '../catalog/catalog-limits.ts';
import { actionsOf } from './actions.ts';
import type { ReadsDeps } from './deps.ts';
import { fitOffset, type OffsetWindow } from './entry-pages.ts';
import { readLimits } from './read-limits.ts';

export interface Categories {
  readonly categories: readonly CategoryCount[];
  readonly totalDistinct: number;
  readonly catalogHash: string;
}

export async function listCategories({ catalog }: Pick<ReadsDeps, 'catalog'>, call: Call): Promise<Categories> {
  const { categories, hash } = await catalog.state(call);
  return { categories, totalDistinct: categories.length, catalogHash: hash };
}

export interface Directory {
  readonly hash: string;
  readonly filesCount: number;
  /** Names, never paths. */
  readonly files: readonly string[];
  readonly totalBytes: number;
  /** Files that are not served, and why. */
  readonly problems: readonly CatalogProblem[];
  readonly truncated?: true;
  readonly nextOffset?: number;
}

export async function listFiles(
  { catalog }: Pick<ReadsDeps, 'catalog'>,
  window: OffsetWindow,
  call: Call,
): Promise<Directory> {
  const [state, found] = await Promise.all([catalog.state(call), catalog.files(call)]);
  const names = found.map(({ file }) => file).sort();
  const { items: files, ...cut } = fitOffset(names, window, jsonBytes);
  return {
    hash: state.hash,
    filesCount: names.length,
    files,
    totalBytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    problems: state.problems.slice(0, readLimits.reportItemsCount),
    ...cut,
  };
}

export interface Capabilities {
  readonly version: string;
  readonly protocolVersion: string;
  readonly supportedActions: readonly string[];
  readonly mutationEnabled: boolean;
  readonly features: {
    readonly advancedQuery: boolean;
    readonly bulkOperations: boolean;
    readonly governanceTracking: boolean;
    readonly usageAnalytics: boolean;
  };
  readonly limits: { readonly maxBatchSize: number; readonly maxQueryResults: number; readonly maxFileSize: number };
}

export const describeCapabilities = (deps: ReadsDeps): Capabilities => ({
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
  limits: {
    maxBatchSize: readLimits.batchOperationsCount,
    maxQueryResults: readLimits.queryResultsCount,
    maxFileSize: catalogLimits.fileBytes,
  },
});
