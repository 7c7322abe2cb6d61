import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { type InstructionEntry, schemaVersion } from '../entry-model.ts';
import { pickScope, type ScopeName, type ScopeSelector } from '../rules/scope.ts';
import { lookUpEntry } from './get-entry.ts';
import { entriesAfter, entryBytes, fitOffsetPage, type OffsetPage, type OffsetWindow } from './offset-pages.ts';
import type { ReadsDeps } from './reads-deps.ts';
import { addUsage } from './usage-fields.ts';

export interface ListResult extends OffsetPage<InstructionEntry> {
  readonly hash: string;
  /** All that match, not only this page. */
  readonly count: number;
  readonly schemaVersion: string;
}

export interface ListInput extends OffsetWindow {
  readonly category?: string | undefined;
  /** The list begins behind this id, whether or not there is such an entry (any more). */
  readonly after?: string | undefined;
  readonly expectId?: string | undefined;
}

type Deps = Pick<ReadsDeps, 'catalog' | 'usage' | 'trace' | 'count' | 'clock'>;

const untouched = {
  repairedVisibility: false,
  lateMaterialized: false,
  attemptedReload: false,
  attemptedLate: false,
} as const;

/**
 * A caller that knows of an entry gets it, also when its file came a moment ago. The file comes first: once the whole
 * folder was looked at, nobody could tell any more that the entry had been missing.
 */
async function stateExpecting(deps: Deps, call: Call, expectId: string): Promise<CatalogState> {
  const { found, lateMaterialized, problem } = await lookUpEntry(deps, call, expectId);
  if (problem !== undefined) deps.count('lateMaterializeRejected');
  let state = await deps.catalog.state(call);
  const expectOnDisk = found !== undefined || problem !== undefined;
  if (found !== undefined && !lateMaterialized && state.find(expectId) !== undefined) {
    deps.trace('list', { expectId, ...untouched, expectOnDisk, expectInCatalog: true });
    return state;
  }
  // A file that cannot be served had its second chance with the folder; one that can be must be in the catalog.
  const attemptedReload = expectOnDisk && !lateMaterialized;
  if (found !== undefined && state.find(expectId) === undefined) state = await deps.catalog.reload(call);
  const expectInCatalog = state.find(expectId) !== undefined;
  deps.trace('list', {
    expectId,
    repairedVisibility: expectInCatalog,
    lateMaterialized,
    attemptedReload,
    attemptedLate: true,
    expectOnDisk,
    expectInCatalog,
    ...(problem === undefined ? {} : { rejected: problem.problem }),
  });
  return state;
}

async function toListResult(
  deps: Deps,
  call: Call,
  state: CatalogState,
  entries: readonly InstructionEntry[],
  { after, ...window }: OffsetWindow & Pick<ListInput, 'after'>,
): Promise<ListResult> {
  const page = fitOffsetPage(after === undefined ? entries : entriesAfter(entries, after), window, entryBytes);
  const items = await addUsage(deps, call, page.items);
  return { hash: state.hash, count: entries.length, schemaVersion, ...page, items };
}

export async function listEntries(deps: Deps, input: ListInput, call: Call): Promise<ListResult> {
  const { category, expectId } = input;
  const state = expectId === undefined ? await deps.catalog.state(call) : await stateExpecting(deps, call, expectId);
  if (expectId === undefined) deps.trace('list', { ...untouched, count: state.count });
  return toListResult(deps, call, state, category === undefined ? state.entries : state.inCategory(category), input);
}

export async function listScoped(
  deps: Deps,
  input: ScopeSelector & OffsetWindow,
  call: Call,
): Promise<ListResult & { readonly scope: ScopeName }> {
  const state = await deps.catalog.state(call);
  const { scope, entries } = pickScope(state.entries, input);
  return { scope, ...(await toListResult(deps, call, state, entries, input)) };
}

export interface ExportInput extends OffsetWindow {
  readonly ids?: readonly string[] | undefined;
  readonly metaOnly?: boolean | undefined;
}

export type ExportResult = Omit<ListResult, 'items'> & {
  readonly generatedAt: string;
  /** Without bodies when only the rest was asked for: an empty one could be taken for the entry's own. */
  readonly items: readonly (Omit<InstructionEntry, 'body'> & { readonly body?: string })[];
  readonly missing?: readonly string[];
};

export async function exportEntries(deps: Deps, input: ExportInput, call: Call): Promise<ExportResult> {
  const state = await deps.catalog.state(call);
  const ids = input.ids === undefined ? undefined : [...new Set(input.ids)].sort();
  const entries = ids === undefined ? state.entries : ids.flatMap((id) => state.find(id)?.entry ?? []);
  const missing = ids?.filter((id) => state.find(id) === undefined);
  const listed = await toListResult(deps, call, state, entries, input);
  return {
    ...listed,
    generatedAt: toIso(deps.clock.now()),
    items: input.metaOnly === true ? listed.items.map(({ body: _body, ...rest }) => rest) : listed.items,
    ...(missing === undefined ? {} : { missing }),
  };
}
