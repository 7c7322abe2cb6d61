import { z } from 'zod';
import type { Call, TenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { limits } from '#kernel/limits.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import type { LibraryListAnswer, LibraryListInput } from '../tools/knowledge-list.ts';
import type { RemoveAnswer, RemoveInput } from '../tools/knowledge-remove.ts';
import {
  createSectionDocuments,
  type LibrariesDeps,
  type LibraryContext,
  provideDocuments,
} from './library-documents.ts';
import { findVersions, type LibraryRow, listLibraries } from './library-store.ts';
import type { LibraryVersion } from './library-version.ts';
import { createRemoval } from './remove-library.ts';
import { createRestore } from './restore-library.ts';
import { createPageWriter, type PageWriter } from './write-pages.ts';

type LibrarySummary = LibraryListAnswer['libraries'][number];

const toLibrarySummary = (row: LibraryRow): LibrarySummary => ({
  library: row.library,
  version: row.version,
  pages: row.pages_count,
  sections: row.sections_count,
  source: row.source,
  source_kind: row.source_kind,
  complete: row.hash !== '',
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

const listTool = 'knowledge_list';
const place = z.tuple([z.string(), z.string()]);

/** Space for the brackets around the list and the cursor. */
const marginBytes = 512;

function createLibraryList({ storage, cursors }: LibraryContext) {
  function openCursor(call: Call, cursor: string | undefined): LibraryVersion {
    if (cursor === undefined) return { library: '', version: '' };
    const opened = place.safeParse(cursors.open(listTool, call.tenant, cursor));
    if (!opened.success)
      throw faults.INVALID_PARAMS({ why: 'the cursor belongs to another list' }, { field: 'cursor' });
    return { library: opened.data[0], version: opened.data[1] };
  }

  /** At least one, and no more than fit into an answer. */
  function fitToAnswer(rows: readonly LibraryRow[]): readonly LibrarySummary[] {
    let bytesLeft = limits.pageBytes - marginBytes;
    const shown: LibrarySummary[] = [];
    for (const row of rows.map(toLibrarySummary)) {
      bytesLeft -= Buffer.byteLength(JSON.stringify(row)) + 1;
      if (bytesLeft < 0 && shown.length > 0) break;
      shown.push(row);
    }
    return shown;
  }

  return async ({ library, limit, cursor }: LibraryListInput, call: Call): Promise<LibraryListAnswer> => {
    const after = openCursor(call, cursor);
    const rows = await storage.read(call, function* (db) {
      if (library === undefined) return yield* listLibraries(db, after, limit + 1);
      const versions = yield* findVersions(db, library);
      return versions.filter(({ version }) => cursor === undefined || version > after.version).slice(0, limit + 1);
    });
    const libraries = fitToAnswer(rows.slice(0, limit));
    const last = libraries.at(-1);
    if (last === undefined || libraries.length === rows.length) return { libraries };
    return { libraries, next_cursor: cursors.seal(listTool, call.tenant, [last.library, last.version]) };
  };
}

export interface Libraries {
  list(input: LibraryListInput, call: Call): Promise<LibraryListAnswer>;
  remove(input: RemoveInput, call: Call): Promise<RemoveAnswer>;
  /** Restores the newest removed copy. It has no tool: only operators use the trash. */
  restore(target: LibraryVersion, call: Call): Promise<LibrarySummary>;
  readonly pages: PageWriter;
  /** Merges the index after an ingest by a short-lived process, so that the next process can open it quickly. */
  mergeIndex(tenant: TenantId, changedCount: number): Promise<void>;
  jobs(tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[];
}

export function createLibraries(deps: LibrariesDeps): Libraries {
  const parts = { ...deps, documents: createSectionDocuments(deps) };
  provideDocuments(deps);
  const { remove, jobs } = createRemoval(parts);
  const { restore } = createRestore(parts);
  return {
    list: createLibraryList(parts),
    remove,
    restore: async (target, call) => toLibrarySummary(await restore(target, call)),
    pages: createPageWriter(parts),
    async mergeIndex(tenant, changedCount) {
      if (changedCount >= knowledgeLimits.mergePagesCount) await deps.search.maintain(tenant, knowledgeDocuments, true);
    },
    jobs,
  };
}
