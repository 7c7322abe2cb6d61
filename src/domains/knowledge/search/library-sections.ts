import type { Call, TenantId } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { loadSections, loadTitles, parseBreadcrumb } from '../libraries/library-documents.ts';
import {
  findLibrary,
  findPages,
  findSections,
  findVersions,
  listLibraries,
  listLibraryNames,
  listPages,
} from '../libraries/library-store.ts';
import type { LibraryVersion } from '../libraries/library-version.ts';
import { compareVersions } from '../libraries/version-range.ts';
import type { Section } from './collection.ts';

export interface PageRef extends LibraryVersion {
  readonly path: string;
}

export interface PageSummary {
  readonly path: string;
  readonly title: string;
}

export interface DocPage extends PageRef {
  readonly title: string;
  readonly url?: string;
  /** The whole page as Markdown. */
  readonly text: string;
}

function byNameAndAge(a: LibraryVersion, b: LibraryVersion): number {
  if (a.library !== b.library) return a.library < b.library ? -1 : 1;
  return compareVersions(a.version, b.version);
}

export type LibrarySections = ReturnType<typeof createLibrarySections>;

/** The names of a tenant's libraries, as of a state of the store. */
interface KnownNames {
  readonly stamp: number | undefined;
  readonly names: readonly string[];
}

export function createLibrarySections({ storage }: { readonly storage: Storage }) {
  const known = new Map<TenantId, KnownNames>();

  async function readNames(call: Call): Promise<readonly string[]> {
    const stamp = storage.stamp();
    const rows = await storage.read(call, (db) => listLibraryNames(db, knowledgeLimits.namesCount));
    const names = rows.map(({ library }) => library);
    known.delete(call.tenant);
    known.set(call.tenant, { stamp, names });
    const [oldest] = known.keys();
    if (known.size > knowledgeLimits.knownTenantsCount) known.delete(oldest!);
    return names;
  }

  return {
    /** The names of all libraries, without versions. Synchronous if the store has not changed since they were read. */
    libraryNames(call: Call): readonly string[] | Promise<readonly string[]> {
      const last = known.get(call.tenant);
      return last?.stamp !== undefined && last.stamp === storage.stamp() ? last.names : readNames(call);
    },

    /** By document id; deleted sections are left out. A page with a damaged section fails, or is left out in part. */
    async load(call: Call, ids: readonly string[], onDamage: 'fail' | 'skip'): Promise<ReadonlyMap<string, Section>> {
      const loaded = await storage.read(call, (db) => loadSections(db, ids, onDamage));
      const found = new Map<string, Section>();
      for (const [id, { library: row, page, section, wholeText }] of loaded) {
        found.set(id, {
          ...{ library: row.library, version: row.version, category: page.category, path: page.path },
          ...(page.url === null ? {} : { url: page.url }),
          title: section.title,
          breadcrumb: parseBreadcrumb(section.breadcrumb),
          text: section.body,
          ...(wholeText === undefined ? {} : { wholeText }),
        });
      }
      return found;
    },

    titles: (call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      storage.read(call, (db) => loadTitles(db, ids)),

    /** The versions of one library, in no particular order. */
    versions: (call: Call, library: string): Promise<readonly string[]> =>
      storage.read(call, function* (db) {
        return (yield* findVersions(db, library)).map(({ version }) => version);
      }),

    /** All versions of all libraries, by name, the newest version last. */
    names: (call: Call): Promise<readonly LibraryVersion[]> =>
      storage.read(call, function* (db) {
        const rows = yield* listLibraries(db, { library: '', version: '' }, knowledgeLimits.namesCount);
        return rows.map(({ library, version }) => ({ library, version })).sort(byNameAndAge);
      }),

    page: (call: Call, { library, version, path }: PageRef): Promise<DocPage | undefined> =>
      storage.read(call, function* (db) {
        const row = yield* findLibrary(db, { library, version });
        if (row === undefined) return undefined;
        const [page] = yield* findPages(db, row.library_key, [path], 'fail');
        if (page === undefined) return undefined;
        const sections = yield* findSections(db, row.library_key, [path], 'fail');
        const text = sections
          .map(({ level, title, body }) => (level === 0 ? body : `${'#'.repeat(level)} ${title}\n\n${body}`.trimEnd()))
          .join('\n\n');
        return { library, version, path, title: page.title, text, ...(page.url === null ? {} : { url: page.url }) };
      }),

    /** Pages whose path begins with `prefix`, by path: one more than a list shows. `after`: the last path before. */
    pages: (call: Call, name: LibraryVersion, prefix: string, after?: string): Promise<readonly PageSummary[]> =>
      storage.read(call, function* (db) {
        const row = yield* findLibrary(db, name);
        if (row === undefined) return [];
        // Paths that begin with the prefix sort directly after it.
        const same =
          prefix === '' || after !== undefined ? [] : yield* findPages(db, row.library_key, [prefix], 'fail');
        const rest = yield* listPages(db, row.library_key, after ?? prefix, knowledgeLimits.pageListCount + 1, 'fail');
        return [...same, ...rest]
          .filter(({ path }) => path.startsWith(prefix))
          .map(({ path, title }) => ({ path, title }));
      }),
  };
}
