import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { type InstructionEntry, schemaVersion } from '../entry-model.ts';
import { pickScope, type ScopeName, type ScopeSelector } from '../rules/scope.ts';
import { type BriefEntry, briefBytes, toBrief } from './brief-entry.ts';
import { lookUpEntry } from './get-entry.ts';
import { entriesAfter, entryBytes, fitOffsetPage, type OffsetPage, type OffsetWindow } from './offset-pages.ts';
import { addUsage, type ReadsDeps } from './reads-deps.ts';

export interface ListResult<T = InstructionEntry> extends OffsetPage<T> {
  readonly hash: string;
  /** All matches, not only this page. */
  readonly count: number;
  readonly schemaVersion: string;
}

export interface ListInput extends OffsetWindow {
  readonly category?: string | undefined;
  /** Starts after this id, even if the entry does not exist. */
  readonly after?: string | undefined;
  readonly expectId?: string | undefined;
  readonly brief?: boolean | undefined;
}

type Deps = Pick<ReadsDeps, 'catalog' | 'usage' | 'trace' | 'count' | 'clock'>;

const untouched = {
  repairedVisibility: false,
  lateMaterialized: false,
  attemptedReload: false,
  attemptedLate: false,
} as const;

/**
 * Includes an entry that the caller knows of, even if its file appeared a moment ago. Looks at the file first: after a
 * refresh of the folder it could not report that the entry had been missing.
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
  // An invalid file was read again with the folder; a valid one must be in the catalog.
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
  window: OffsetWindow & Pick<ListInput, 'after'>,
): Promise<ListResult> {
  const page = fitOffsetPage(entriesAfter(entries, window.after), window, entryBytes);
  const items = await addUsage(deps, call, page.items);
  return { hash: state.hash, count: entries.length, schemaVersion, ...page, items };
}

export async function listEntries(
  deps: Deps,
  input: ListInput,
  call: Call,
): Promise<ListResult | ListResult<BriefEntry>> {
  const { category, expectId } = input;
  const state = expectId === undefined ? await deps.catalog.state(call) : await stateExpecting(deps, call, expectId);
  if (expectId === undefined) deps.trace('list', { ...untouched, count: state.count });
  const entries = category === undefined ? state.entries : state.inCategory(category);
  if (input.brief !== true) return toListResult(deps, call, state, entries, input);
  const page = fitOffsetPage(entriesAfter(entries, input.after), input, briefBytes);
  return { hash: state.hash, count: entries.length, schemaVersion, ...page, items: page.items.map(toBrief) };
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
  /** Without `body` for `metaOnly`: an empty one could be mistaken for the real one. */
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
