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
  /** The store's stamp when the question came, where it is known. */
  readonly stamp?: number | undefined;
}

export interface DocHit {
  readonly id: string;
  readonly title: string;
  /** Of the base v4, v5 or both; of a library its own. */
  readonly version: string;
  readonly category: string;
  readonly source: { readonly url?: string | undefined; readonly path?: string | undefined };
  /** Headings from the page down to what the section stands under: `Hooks > Around hooks`. */
  readonly breadcrumb: string;
  /** Only of a library that a tenant has taken in. */
  readonly library?: string | undefined;
  /** The best has 1. */
  readonly score: number;
  readonly snippet: string;
}

export interface DocAnswer {
  readonly query: string;
  readonly version: VersionFilter;
  readonly results: readonly DocHit[];
  /** What to try when nothing was found. */
  readonly hint?: string | undefined;
}

/** What a question has found. */
export interface SearchOutcome {
  /** Best first: those of the answer, or with what is alike fused in. */
  readonly hits: readonly HitKey[];
  readonly answer: SearchAnswer;
  readonly parsed: ParsedQuery;
  /** Either words found all of them, or none. */
  readonly how: 'words' | 'substring';
}

export type RunSearch = (query: DocQuery, call: Call) => SearchOutcome | Promise<SearchOutcome>;

/** What is of one version of the base is also what is of both. */
const versionsFor = (version: string): readonly string[] =>
  version === 'v4' || version === 'v5' ? [version, 'both'] : [version];

const none: readonly FacetFilter[] = [];
/** Of the base the newest unless another is asked for; of libraries every one. */
const newest: readonly FacetFilter[] = [{ key: 'edition', any: [...versionsFor('v5'), libraryEdition] }];
const byVersion: Readonly<Record<VersionFilter, readonly FacetFilter[]>> = {
  v4: [{ key: 'version', any: versionsFor('v4') }],
  v5: [{ key: 'version', any: versionsFor('v5') }],
  both: none,
  all: none,
};

/** What may be found [KN3] [KN4]. Without a library always the very same, by which the search knows it again. */
export function toFilters({ version, library }: Pick<DocQuery, 'version' | 'library'>): readonly FacetFilter[] {
  const wanted = version === undefined ? newest : byVersion[version];
  if (library === undefined || library.trim() === '') return wanted;
  const asked = parseLibraryVersion(library);
  const filters: FacetFilter[] = [{ key: 'library', any: [asked.library] }];
  if (asked.version === undefined) return [...filters, ...wanted];
  filters.push({ key: 'version', any: versionsFor(asked.version) });
  return version === undefined ? filters : [...filters, ...wanted];
}
