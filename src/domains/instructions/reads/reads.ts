import type { Call } from '#kernel/call.ts';
import type { Forwarded } from '#kernel/tool/invoke.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import type { ScopeName, ScopeSelector } from '../rules/scope.ts';
import type { ApplicableResult } from '../tools/instructions-applicable.ts';
import type { Capabilities } from '../tools/instructions-capabilities.ts';
import type { Categories } from '../tools/instructions-categories.ts';
import type { Directory } from '../tools/instructions-dir.ts';
import type { GovernanceHashResult } from '../tools/instructions-governance-hash.ts';
import type { Health } from '../tools/instructions-health.ts';
import type { InspectInput, InspectResult } from '../tools/instructions-inspect.ts';
import { checkHealth } from './check-health.ts';
import { describeCapabilities, listCategories, listFiles } from './describe-catalog.ts';
import { type DiffInput, type DiffResult, diffCatalog } from './diff-catalog.ts';
import { type BatchResult, createForwardAction, runBatch } from './dispatch.ts';
import { type ApplicableInput, findApplicable } from './find-applicable.ts';
import { type GetEnhancedResult, type GetResult, getEnhanced, getEntry } from './get-entry.ts';
import { governanceHash } from './governance-hash.ts';
import { inspectCatalog } from './inspect-catalog.ts';
import {
  type ExportInput,
  type ExportResult,
  exportEntries,
  type ListInput,
  type ListResult,
  listEntries,
  listScoped,
} from './list-entries.ts';
import type { OffsetWindow } from './offset-pages.ts';
import { type QueryInput, type QueryResult, queryEntries } from './query-entries.ts';
import type { ReadsDeps } from './reads-deps.ts';
import { type SearchInput, type SearchResult, searchEntries } from './search-entries.ts';

type Params = Readonly<Record<string, unknown>>;

export interface Reads {
  /** Runs the tool that the action names. */
  dispatch(params: Params, call: ToolCall): Promise<Forwarded>;
  batch(operations: readonly Params[], call: ToolCall): Promise<BatchResult>;
  list(input: ListInput, call: Call): Promise<ListResult>;
  listScoped(input: ScopeSelector & OffsetWindow, call: Call): Promise<ListResult & { readonly scope: ScopeName }>;
  get(id: string, call: Call): GetResult | Promise<GetResult>;
  getEnhanced(id: string, call: Call): Promise<GetEnhancedResult>;
  search(input: SearchInput, call: Call): Promise<SearchResult>;
  query(input: QueryInput, call: Call): Promise<QueryResult>;
  categories(call: Call): Promise<Categories>;
  dir(window: OffsetWindow, call: Call): Promise<Directory>;
  diff(input: DiffInput, call: Call): Promise<DiffResult>;
  export(input: ExportInput, call: Call): Promise<ExportResult>;
  capabilities(call: Call): Promise<Capabilities>;
  health(call: Call): Promise<Health>;
  inspect(input: InspectInput, call: Call): Promise<InspectResult>;
  governanceHash(input: OffsetWindow & { readonly includeItems: boolean }, call: Call): Promise<GovernanceHashResult>;
  applicable(input: ApplicableInput, call: Call): Promise<ApplicableResult>;
}

export function createReads(deps: ReadsDeps): Reads {
  const forwardAction = createForwardAction(deps.cards);
  return {
    dispatch: (params, call) => forwardAction(params, call),
    batch: (operations, call) => runBatch(forwardAction, operations, call),
    list: (input, call) => listEntries(deps, input, call),
    listScoped: (input, call) => listScoped(deps, input, call),
    get: (id, call) => getEntry(deps, id, call),
    getEnhanced: (id, call) => getEnhanced(deps, id, call),
    search: (input, call) => searchEntries(deps, input, call),
    query: (input, call) => queryEntries(deps, input, call),
    categories: (call) => listCategories(deps, call),
    dir: (window, call) => listFiles(deps, window, call),
    diff: (input, call) => diffCatalog(deps, input, call),
    export: (input, call) => exportEntries(deps, input, call),
    capabilities: (call) => describeCapabilities(deps, call),
    health: (call) => checkHealth(deps, call),
    inspect: (input, call) => inspectCatalog(deps, input, call),
    governanceHash: (input, call) => governanceHash(deps, input, call),
    applicable: (input, call) => findApplicable(deps, input, call),
  };
}
