import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import { parseLibraryVersion } from '../libraries/library-version.ts';
import type { DocAnswer } from '../tools/search-docs.ts';
import { libraryEdition } from './collection.ts';

export interface DocQuery {
  readonly query: string;
  readonly limit: number;
  /** Undefined: v5 of the base, and every library. */
  readonly version?: DocAnswer['version'] | undefined;
  /** `react` or `react@19.2.0`. */
  readonly library?: string | undefined;
}

export type DocHit = DocAnswer['results'][number];

export interface SearchOutcome {
  /** Best first; may include semantic hits. */
  readonly hits: readonly HitKey[];
  readonly answer: SearchAnswer;
  readonly parsed: ParsedQuery;
  /** Substring search runs only if keyword search finds nothing. */
  readonly how: 'words' | 'substring';
}

/** Entries for both versions match either version. */
const versionsFor = (version: string): readonly string[] =>
  version === 'v4' || version === 'v5' ? [version, 'both'] : [version];

const none: readonly FacetFilter[] = [];
/** The newest version of the base, and every library. */
const newest: readonly FacetFilter[] = [{ key: 'edition', any: [...versionsFor('v5'), libraryEdition] }];
const byVersion: Readonly<Record<DocAnswer['version'], readonly FacetFilter[]>> = {
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
