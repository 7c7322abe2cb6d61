import type { Call } from '#kernel/call.ts';
import type { CatalogEntry, CatalogProblem } from './catalog.ts';
import { ChunkedCatalogState } from './catalog-state.ts';
import type { CatalogSink, EntrySource, SourceChanges, SourceDeps } from './entry-source.ts';
import { createReconciler } from './reconciler.ts';

export type TenantCatalog = ReturnType<typeof createTenantCatalog>;

/** The catalog of one tenant: its source, its state in memory, and the reconciler. */
export function createTenantCatalog(deps: Omit<SourceDeps, 'sink'>, createSource: (sink: CatalogSink) => EntrySource) {
  const problems = new Map<string, CatalogProblem>();
  const byId = new Map<string, CatalogEntry>();
  let state = ChunkedCatalogState.of([], []);
  let loading: Promise<void> | undefined;
  let isLoaded = false;

  const reconciler = createReconciler({
    ...deps,
    state: () => state,
    readCurrent: (db, ids) => source.readCurrent(db, ids),
    findAuthors: async (ids) => (await source.findAuthors?.(ids)) ?? new Map(),
  });

  function noteProblems(found: SourceChanges['problems']): boolean {
    let isChanged = false;
    for (const [file, problem] of found) {
      if (problem === undefined) isChanged = problems.delete(file) || isChanged;
      else if (problems.get(file)?.problem !== problem.problem) {
        problems.set(file, problem);
        isChanged = true;
      }
    }
    return isChanged;
  }

  function apply({ entries, problems: found }: SourceChanges): void {
    const edits = new Map<string, CatalogEntry | undefined>();
    for (const [id, entry] of entries) {
      if (byId.get(id)?.etag === entry?.etag) continue;
      edits.set(id, entry);
      if (entry === undefined) byId.delete(id);
      else byId.set(id, entry);
    }
    const hasNewProblems = noteProblems(found);
    if (edits.size === 0 && !hasNewProblems) return;
    const listed = hasNewProblems ? [...problems.values()].sort((a, b) => (a.file < b.file ? -1 : 1)) : state.problems;
    state = state.with(edits, listed);
  }

  const source: EntrySource = createSource({
    apply,
    find: (id) => byId.get(id),
    ids: () => byId.keys(),
    reconcile(ids) {
      // A load compares all entries at its end instead.
      if (isLoaded) reconciler.reconcile(ids);
    },
  });

  /** Uses its own call: the deadline or cancellation of one caller must not end what the next caller needs, too. */
  async function load(): Promise<void> {
    await source.load(deps.calls.internal(deps.tenant));
    isLoaded = true;
    reconciler.reconcileAll();
  }

  async function whenLoaded(): Promise<void> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    await loading;
  }

  return {
    source,
    state: (): ChunkedCatalogState => state,
    /** Like `state().find`, but through a map. */
    find: (id: string): CatalogEntry | undefined => byId.get(id),
    isLoaded: () => isLoaded,
    whenLoaded,
    /** Loads, or refreshes as lists require. */
    async refresh(call: Call) {
      if (!isLoaded) return whenLoaded();
      await source.refresh(call);
    },
    async reload() {
      if (!isLoaded) return whenLoaded();
      await load();
    },
    /** Resolves when the audit trail and the search index contain everything that is served. */
    whenIndexed: () => reconciler.whenIdle(),
    /** The problem of the entry's file. */
    problemOf: (id: string): CatalogProblem | undefined =>
      problems.size === 0 ? undefined : problems.get(`${id}.json`),
    async close() {
      await loading?.catch(() => {});
      await source.close();
      await reconciler.close();
    },
  };
}
