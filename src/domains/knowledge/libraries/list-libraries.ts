import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { limits } from '#kernel/limits.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { LibraryParts } from './libraries-deps.ts';
import type { Edition } from './library-names.ts';
import { findVersions, type LibraryRow, listLibraries } from './library-store.ts';

export interface ListInput {
  readonly library?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ShownLibrary extends Edition {
  readonly pages: number;
  readonly sections: number;
  readonly source: string;
  readonly source_kind: string;
  /** False: its last ingest did not come to its end; ingesting again goes on. */
  readonly complete: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ListAnswer {
  readonly libraries: readonly ShownLibrary[];
  readonly next_cursor?: string;
}

export const toShownLibrary = (row: LibraryRow): ShownLibrary => ({
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

/** Room for the brackets around the list, and for the cursor. */
const marginBytes = 512;

export function createListing({ storage, cursors }: LibraryParts) {
  function openCursor(call: Call, cursor: string | undefined): Edition {
    if (cursor === undefined) return { library: '', version: '' };
    const opened = place.safeParse(cursors.open(listTool, call.tenant, cursor));
    if (!opened.success)
      throw faults.INVALID_PARAMS({ why: 'the cursor belongs to another list' }, { field: 'cursor' });
    return { library: opened.data[0], version: opened.data[1] };
  }

  /** As many as an answer has room for, at least one. */
  function fitting(rows: readonly LibraryRow[]): readonly ShownLibrary[] {
    let room = limits.pageBytes - marginBytes;
    const shown: ShownLibrary[] = [];
    for (const row of rows.map(toShownLibrary)) {
      room -= Buffer.byteLength(JSON.stringify(row)) + 1;
      if (room < 0 && shown.length > 0) break;
      shown.push(row);
    }
    return shown;
  }

  return async (
    { library, limit = knowledgeLimits.listDefaultCount, cursor }: ListInput,
    call: Call,
  ): Promise<ListAnswer> => {
    const after = openCursor(call, cursor);
    const rows = await storage.read(call, function* (db) {
      if (library === undefined) return yield* listLibraries(db, after, limit + 1);
      const versions = yield* findVersions(db, library);
      return versions.filter(({ version }) => cursor === undefined || version > after.version).slice(0, limit + 1);
    });
    const libraries = fitting(rows.slice(0, limit));
    const last = libraries.at(-1);
    if (last === undefined || libraries.length === rows.length) return { libraries };
    return { libraries, next_cursor: cursors.seal(listTool, call.tenant, [last.library, last.version]) };
  };
}
