import type { Settings } from '#config/settings.ts';
import type { Notebooks } from '#domains/notebooks/notebooks.ts';
import type { PadsDeps } from '#domains/notebooks/pads/pads-deps.ts';
import type { TenantId } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import type { Search } from './search.ts';

export interface NotebooksParts extends Pick<PadsDeps, 'storage' | 'clock' | 'ids' | 'log' | 'onEvicted'> {
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly cursors: () => Cursors;
  readonly tenants: () => Promise<readonly TenantId[]>;
}

export interface ComposedNotebooks extends Notebooks {
  readonly jobs: readonly PeriodicJob[];
  close(): Promise<void>;
}

/** Puts the memory together when the first of its tools is called. */
export async function composeNotebooks(parts: NotebooksParts): Promise<ComposedNotebooks> {
  const { settings, search, cursors, tenants, ...rest } = parts;
  const [
    { createPads },
    { createPadParts },
    { createNotebookJobs },
    { createNamespaces },
    { createSchemas },
    { createChecks },
    { createChecker },
    { createNotebookSearch },
    { notebookDocuments },
    { createCheckWorkers },
  ] = await Promise.all([
    import('#domains/notebooks/pads/pads.ts'),
    import('#domains/notebooks/pads/pad-parts.ts'),
    import('#domains/notebooks/pads/jobs.ts'),
    import('#domains/notebooks/namespaces/namespaces.ts'),
    import('#domains/notebooks/schemas/schemas.ts'),
    import('#domains/notebooks/validation/checks.ts'),
    import('#domains/notebooks/validators/checker.ts'),
    import('#domains/notebooks/search/search.ts'),
    import('#domains/notebooks/search/documents.ts'),
    import('./check-workers.ts'),
  ]);
  const workers = createCheckWorkers();
  const padParts = createPadParts({
    ...rest,
    search: search.keyword,
    meaning: search.semantic,
    cursors: cursors(),
    maxScratchpads: settings.maxScratchpads,
    maxCellsPerPad: settings.maxCellsPerPad,
    maxCellBytes: settings.maxCellBytes,
    evictionPolicy: settings.evictionPolicy,
    preemptAgeMs: settings.preemptAgeMs,
    preemptIntervalMs: settings.preemptIntervalMs,
    checkWritten: (cells, padKey, call) => checks.checkWritten(cells, padKey, call),
  });
  // From here on with the storage of this family, which says in its own words that the server shuts down.
  const { storage, log, access } = padParts;
  const checks = createChecks({
    storage,
    log,
    access,
    checker: createChecker({ workers }),
    validationTimeoutMs: settings.validationTimeoutMs,
  });
  const pads = createPads(padParts);
  search.register(notebookDocuments);

  return {
    storage,
    pads,
    checks,
    namespaces: createNamespaces(padParts),
    schemas: createSchemas(padParts),
    search: createNotebookSearch({
      storage,
      search: search.keyword,
      meaning: search.semantic,
      semanticSearch: settings.semanticSearch,
    }),
    jobs: createNotebookJobs(padParts, tenants),
    async close() {
      await pads.close();
      await workers.close();
    },
  };
}
