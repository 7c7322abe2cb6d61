import type { Call } from '#kernel/call.ts';
import type { Forwarded } from '#kernel/tool/forwarded.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import type { ScopeName, ScopeWanted } from '../rules/scope.ts';
import { createForwardAction } from './actions.ts';
import { type Applicable, type ApplicableInput, findApplicable } from './applicable.ts';
import { type Batched, runBatch } from './batch.ts';
import {
  type Capabilities,
  type Categories,
  type Directory,
  describeCapabilities,
  listCategories,
  listFiles,
} from './describe-catalog.ts';
import { type Diffed, type DiffInput, diffCatalog } from './diff-catalog.ts';
import type { OffsetWindow } from './entry-pages.ts';
import { type Got, type GotEnhanced, getEnhanced, getEntry } from './get-entry.ts';
import { type Governed, governanceHash } from './govern.ts';
import { checkHealth, type Health } from './health.ts';
import { type Inspected, type InspectInput, inspect } from './inspect.ts';
import {
  type Exported,
  type ExportInput,
  exportEntries,
  type Listed,
  type ListInput,
  listEntries,
  listScoped,
} from './list-entries.ts';
import { type Queried, type QueryInput, queryEntries } from './query-entries.ts';
import type { ReadsDeps } from './reads-deps.ts';
import { type Searched, type SearchInput, searchEntries } from './search-entries.ts';

type Params = Readonly<Record<string, unknown>>;

/** Everything that looks at the catalog and changes nothing. */
export interface Reads {
  /** Stands for the tool that the action names. */
  dispatch(params: Params, call: ToolCall): Promise<Forwarded>;
  batch(operations: readonly Params[], call: ToolCall): Promise<Batched>;
  list(input: ListInput, call: Call): Promise<Listed>;
  listScoped(input: ScopeWanted & OffsetWindow, call: Call): Promise<Listed & { readonly scope: ScopeName }>;
  get(id: string, call: Call): Got | Promise<Got>;
  getEnhanced(id: string, call: Call): Promise<GotEnhanced>;
  search(input: SearchInput, call: Call): Promise<Searched>;
  query(input: QueryInput, call: Call): Promise<Queried>;
  categories(call: Call): Promise<Categories>;
  dir(window: OffsetWindow, call: Call): Promise<Directory>;
  diff(input: DiffInput, call: Call): Promise<Diffed>;
  export(input: ExportInput, call: Call): Promise<Exported>;
  capabilities(call: Call): Promise<Capabilities>;
  health(call: Call): Promise<Health>;
  inspect(input: InspectInput, call: Call): Promise<Inspected>;
  governanceHash(input: OffsetWindow & { readonly includeItems: boolean }, call: Call): Promise<Governed>;
  applicable(input: ApplicableInput, call: Call): Promise<Applicable>;
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
    inspect: (input, call) => inspect(deps, input, call),
    governanceHash: (input, call) => governanceHash(deps, input, call),
    applicable: (input, call) => findApplicable(deps, input, call),
  };
}
