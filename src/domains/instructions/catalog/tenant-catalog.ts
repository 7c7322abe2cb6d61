import type { Call } from '#kernel/call.ts';
import type { CatalogEntry, CatalogProblem } from './catalog.ts';
import { ChunkedCatalogState } from './catalog-state.ts';
import type { CatalogSink, EntrySource, SourceChanges, SourceDeps } from './entry-source.ts';
import { createReconciler } from './reconciler.ts';

/** The catalog of one tenant: what is served, where it comes from, and what is known about it elsewhere. */
export interface TenantCatalog {
  readonly source: EntrySource;
  state(): ChunkedCatalogState;
  /** As `state().find`, without the way through the order of the ids. */
  find(id: string): CatalogEntry | undefined;
  isLoaded(): boolean;
  /** Resolves when everything was read once. */
  whenLoaded(): Promise<void>;
  /** Loaded, and as fresh as a list has to be. */
  refresh(call: Call): Promise<void>;
  reload(call: Call): Promise<void>;
  /** Resolves when audit trail and search index know all that is served. */
  whenIndexed(): Promise<void>;
  /** Of the file that would hold the entry. */
  problemOf(id: string): CatalogProblem | undefined;
  close(): Promise<void>;
}

export function createTenantCatalog(
  deps: Omit<SourceDeps, 'sink'>,
  createSource: (sink: CatalogSink) => EntrySource,
): TenantCatalog {
  const problems = new Map<string, CatalogProblem>();
  const byId = new Map<string, CatalogEntry>();
  let state = ChunkedCatalogState.of([], []);
  let loading: Promise<void> | undefined;
  let isLoaded = false;

  const reconciler = createReconciler({
    ...deps,
    state: () => state,
    readCurrent: (db, ids) => source.readCurrent(db, ids),
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
      // While loading nothing is compared one by one: all of it is, at the end.
      if (isLoaded) reconciler.reconcile(ids);
    },
  });

  /** The program's own work: nobody's deadline or cancellation ends what the next caller needs as well. */
  async function load(): Promise<void> {
    await source.load(deps.calls.quiet(deps.tenant));
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
    state: () => state,
    find: (id) => byId.get(id),
    isLoaded: () => isLoaded,
    whenLoaded,
    async refresh(call) {
      if (!isLoaded) return whenLoaded();
      await source.refresh(call);
    },
    async reload() {
      if (!isLoaded) return whenLoaded();
      await load();
    },
    whenIndexed: () => reconciler.whenIdle(),
    problemOf: (id) => (problems.size === 0 ? undefined : problems.get(`${id}.json`)),
    async close() {
      await loading?.catch(() => {});
      await source.close();
      await reconciler.close();
    },
  };
}
