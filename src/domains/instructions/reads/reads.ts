import type { ToolCall } from '#kernel/tool/tool.ts';
import { checkHealth, countDue, describeCapabilities, listCategories, listFiles } from './describe-catalog.ts';
import { diffCatalog } from './diff-catalog.ts';
import { createForwardAction, runBatch } from './dispatch.ts';
import { type ApplicableInput, findApplicable } from './find-applicable.ts';
import { getEnhanced, getEntry } from './get-entry.ts';
import { governanceHash } from './governance-hash.ts';
import { countServed, findTitles, inspectCatalog } from './inspect-catalog.ts';
import { exportEntries, listEntries, listScoped } from './list-entries.ts';
import { queryEntries } from './query-entries.ts';
import type { ReadsDeps } from './reads-deps.ts';
import { searchEntries } from './search-entries.ts';

type Params = Readonly<Record<string, unknown>>;

export type Reads = ReturnType<typeof createReads>;

export function createReads(deps: ReadsDeps) {
  const forwardAction = createForwardAction(deps.cards);
  const withDeps =
    <Args extends readonly unknown[], Answer>(read: (deps: ReadsDeps, ...args: Args) => Answer) =>
    (...args: Args): Answer =>
      read(deps, ...args);
  return {
    /** Runs the tool that the action names. */
    dispatch: (params: Params, call: ToolCall) => forwardAction(params, call),
    batch: (operations: readonly Params[], call: ToolCall) => runBatch(forwardAction, operations, call),
    list: withDeps(listEntries),
    listScoped: withDeps(listScoped),
    get: withDeps(getEntry),
    getEnhanced: withDeps(getEnhanced),
    search: withDeps(searchEntries),
    query: withDeps(queryEntries),
    categories: withDeps(listCategories),
    dir: withDeps(listFiles),
    diff: withDeps(diffCatalog),
    export: withDeps(exportEntries),
    capabilities: withDeps(describeCapabilities),
    health: withDeps(checkHealth),
    inspect: withDeps(inspectCatalog),
    due: withDeps(countDue),
    served: withDeps(countServed),
    titles: withDeps(findTitles),
    governanceHash: withDeps(governanceHash),
    async applicable(
      { preview = false, ...input }: ApplicableInput & { readonly preview?: boolean | undefined },
      call: ToolCall,
    ) {
      const answer = await findApplicable(deps, input, call);
      if (preview) return answer;
      const { items, may_apply = [] } = answer;
      // A rule whose body did not fit counts with the page that has it.
      const applies = items.filter(({ body }) => body !== undefined).map(({ id }) => id);
      deps.recordServed(call, { applies, mayApply: may_apply.map(({ id }) => id), workspaceId: input.workspaceId });
      return answer;
    },
  };
}
