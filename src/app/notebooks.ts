import type { Settings } from '#config/settings.ts';
import type { NotebookDeps, Notebooks } from '#domains/notebooks/notebooks.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Search } from './search.ts';

export interface NotebooksParts
  extends Pick<NotebookDeps, 'storage' | 'clock' | 'ids' | 'log' | 'tenants' | 'onEvicted'> {
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly cursors: () => Cursors;
}

/** Loads the domain when the first of its tools is called. */
export async function composeNotebooks(parts: NotebooksParts): Promise<Notebooks> {
  const { settings, search, cursors, ...deps } = parts;
  const [{ createNotebooks }, { createValidationPool }, { notebookDocuments }, { createValidationWorkers }] =
    await Promise.all([
      import('#domains/notebooks/notebooks.ts'),
      import('#domains/notebooks/validation/validation-pool.ts'),
      import('#domains/notebooks/search/notebook-documents.ts'),
      import('./validation-workers.ts'),
    ]);
  const workers = createValidationWorkers();
  const notebooks = createNotebooks({
    ...deps,
    search: search.keyword,
    meaning: search.semantic,
    cursors: cursors(),
    pool: createValidationPool({ workers }),
    maxScratchpads: settings.maxScratchpads,
    maxCellsPerPad: settings.maxCellsPerPad,
    maxCellBytes: settings.maxCellBytes,
    evictionPolicy: settings.evictionPolicy,
    preemptAgeMs: settings.preemptAgeMs,
    preemptIntervalMs: settings.preemptIntervalMs,
    validationTimeoutMs: settings.validationTimeoutMs,
    semanticSearch: settings.semanticSearch,
  });
  search.register(notebookDocuments);
  return {
    ...notebooks,
    async close() {
      await notebooks.close();
      await workers.close();
    },
  };
}
