import type { Settings } from '#config/settings.ts';
import type { NotebookDeps, Notebooks } from '#domains/notebooks/notebooks.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Finding } from './finding.ts';

export interface NotebooksParts
  extends Pick<NotebookDeps, 'storage' | 'clock' | 'ids' | 'log' | 'tenants' | 'onEvicted'> {
  readonly settings: Settings;
  readonly finding: Pick<Finding, 'search' | 'meaning' | 'uses'>;
  readonly cursors: () => Cursors;
}

/** Loads the domain when the first of its tools is called. */
export async function composeNotebooks(parts: NotebooksParts): Promise<Notebooks> {
  const { settings, finding, cursors, ...deps } = parts;
  const [{ createNotebooks }, { createValidationPool }, { notebookDocuments }, { createValidationWorkers }] =
    await Promise.all([
      import('#domains/notebooks/notebooks.ts'),
      import('#domains/notebooks/validation/validation-pool.ts'),
      import('#domains/notebooks/search/notebook-documents.ts'),
      import('./validation-workers.ts'),
    ]);
  const workers = createValidationWorkers();
  const { search, meaning } = finding;
  const notebooks = createNotebooks({
    ...deps,
    search,
    meaning,
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
  finding.uses(notebookDocuments);
  return {
    ...notebooks,
    async close() {
      await notebooks.close();
      await workers.close();
    },
  };
}
