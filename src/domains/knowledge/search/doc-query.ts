import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import { parseLibraryVersion } from '../libraries/library-version.ts';
import { libraryEdition } from './collection.ts';

export type VersionFilter = 'v4' | 'v5' | 'both' | 'all';

export interface DocQuery {
  readonly query: string;
  readonly limit: number;
  /** Undefined: v5 of the base, and every library. */
  readonly version?: VersionFilter | undefined;
  /** `react` or `react@19.2.0`. */
  readonly library?: string | undefined;
}

export interface DocHit {
  readonly id: string;
  readonly title: string;
  /** v4, v5 or both for the base; the library's own version otherwise. */
  readonly version: string;
  readonly category: string;
  readonly source: { readonly url?: string | undefined; readonly path?: string | undefined };
  /** The headings above the section: `Hooks > Around hooks`. */
  readonly breadcrumb: string;
  /** Only for a tenant's library. */
  readonly library?: string | undefined;
  /** 1 for the best hit. */
  readonly score: number;
  readonly snippet: string;
}

export interface DocAnswer {
  readonly query: string;
  readonly version: VersionFilter;
  readonly results: readonly DocHit[];
  /** What to try if nothing was found. */
  readonly hint?: string | undefined;
}

export interface SearchOutcome {
  /** Best first; may include semantic hits. */
  readonly hits: readonly HitKey[];
  readonly answer: SearchAnswer;
  readonly parsed: ParsedQuery;
  /** Substring search runs only if keyword search finds nothing. */
  readonly how: 'words' | 'substring';
}

export type RunSearch = (query: DocQuery, call: Call) => SearchOutcome | Promise<SearchOutcome>;

/** Entries for both versions match either version. */
const versionsFor = (version: string): readonly string[] =>
  version === 'v4' || version === 'v5' ? [version, 'both'] : [version];

const none: readonly FacetFilter[] = [];
/** The newest version of the base, and every library. */
const newest: readonly FacetFilter[] = [{ key: 'edition', any: [...versionsFor('v5'), libraryEdition] }];
const byVersion: Readonly<Record<VersionFilter, readonly FacetFilter[]>> = {
  v4: [{ key: 'version', any: versionsFor('v4') }],
  v5: [{ key: 'version', any: versionsFor('v5') }],
  both: none,
  all: none,
};

/** [KN3] [KN4] Without a library, the same array is returned each time: search caches by identity. */
export function toFilters({ version, library }: Pick<DocQuery, 'version' | 'library'>): readonly FacetFilter[] {
  const wanted = version === undefined ? newest : byVersion[version];
  if (library === undefined || library.trim() === '') return wanted;
  const asked = parseLibraryVersion(library);
  const filters: FacetFilter[] = [{ key: 'library', any: [asked.library] }];
  if (asked.version === undefined) return [...filters, ...wanted];
  filters.push({ key: 'version', any: versionsFor(asked.version) });
  return version === undefined ? filters : [...filters, ...wanted];
}
