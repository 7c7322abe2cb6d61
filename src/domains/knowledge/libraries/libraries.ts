import type { Call, TenantId } from '#kernel/call.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import { createDocuments } from './documents.ts';
import type { LibrariesDeps } from './libraries-deps.ts';
import type { Edition } from './library-names.ts';
import { createListing, type ListAnswer, type ListInput, type ShownLibrary, toShownLibrary } from './list-libraries.ts';
import { provideDocuments } from './provide-documents.ts';
import { createRemoval, type RemoveAnswer, type RemoveInput } from './removal/remove-library.ts';
import { createRestore } from './removal/restore-library.ts';
import { createPageWriter, type PageWriter } from './write-pages.ts';

/** What a tenant has taken in: names and versions side by side. */
export interface Libraries {
  list(input: ListInput, call: Call): Promise<ListAnswer>;
  remove(input: RemoveInput, call: Call): Promise<RemoveAnswer>;
  /** The newest copy that was removed. It has no tool: the trash is the operator's. */
  restore(edition: Edition, call: Call): Promise<ShownLibrary>;
  /** For whoever takes pages in. */
  readonly pages: PageWriter;
  /** Merges the index after so many pages changed, for a process that ends: the next one opens it at once. */
  tidy(tenant: TenantId, changedCount: number): Promise<void>;
  /** What libraries need done when nobody asks for it. */
  jobs(tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[];
}

export function createLibraries(deps: LibrariesDeps): Libraries {
  const parts = { ...deps, documents: createDocuments(deps) };
  provideDocuments(deps);
  const { remove, jobs } = createRemoval(parts);
  const { restore } = createRestore(parts);
  return {
    list: createListing(parts),
    remove,
    restore: async (edition, call) => toShownLibrary(await restore(edition, call)),
    pages: createPageWriter(parts),
    async tidy(tenant, changedCount) {
      if (changedCount >= knowledgeLimits.tidyPagesCount) await deps.search.maintain(tenant, knowledgeDocuments, true);
    },
    jobs,
  };
}
