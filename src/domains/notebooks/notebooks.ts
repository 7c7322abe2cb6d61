import type { TenantId } from '#kernel/call.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type CellHistory, createCellHistory } from './history/cell-history.ts';
import { createNamespaces, type Namespaces } from './namespaces/namespaces.ts';
import { createPadContext, type PadDeps, toNotebookStorage } from './pads/pad-context.ts';
import { createPadJobs } from './pads/pad-jobs.ts';
import { createPads, type Pads } from './pads/pads.ts';
import { createSchemas, type Schemas } from './schemas/schemas.ts';
import { createNotebookSearch, type NotebookSearch } from './search/notebook-search.ts';
import { createValidation, type Validation } from './validation/validation.ts';
import type { ValidationPool } from './validation/validation-pool.ts';

/** An agent's working memory: pads of typed cells. Every answer is limited to the caller's tenant. */
export interface Notebooks {
  readonly pads: Pads;
  readonly namespaces: Namespaces;
  readonly schemas: Schemas;
  readonly validation: Validation;
  readonly search: NotebookSearch;
  readonly history: CellHistory;
  readonly jobs: readonly PeriodicJob[];
  /** For tools that repair the store itself. */
  readonly storage: Storage;
  close(): Promise<void>;
}

export interface NotebookDeps extends Omit<PadDeps, 'validateWritten'> {
  readonly search: SearchIndex;
  readonly meaning: SemanticSearch;
  readonly pool: ValidationPool;
  readonly validationTimeoutMs: number;
  readonly semanticSearch: boolean;
  /** All tenants that may have pads. */
  readonly tenants: () => Promise<readonly TenantId[]>;
}

export function createNotebooks({ tenants, ...given }: NotebookDeps): Notebooks {
  const deps = { ...given, storage: toNotebookStorage(given.storage) };
  const context = createPadContext({
    ...deps,
    validateWritten: (cells, padKey, call) => validation.validateWritten(cells, padKey, call),
  });
  const validation = createValidation({ ...deps, access: context.access });
  const pads = createPads(context);
  return {
    storage: deps.storage,
    pads,
    validation,
    namespaces: createNamespaces(context),
    schemas: createSchemas(context),
    search: createNotebookSearch(deps),
    history: createCellHistory(context),
    jobs: createPadJobs(context, tenants),
    close: () => pads.close(),
  };
}
