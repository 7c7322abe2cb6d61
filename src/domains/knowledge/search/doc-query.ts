import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { HybridAnswer, RankingMode } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { DocAnswer, FeathersVersions } from '../tools/search-docs.ts';
import { libraryEdition } from './collection.ts';

export interface DocQuery {
  readonly query: string;
  readonly limit: number;
  /** Default: hybrid. */
  readonly mode?: RankingMode | undefined;
  /** Of Feathers; other libraries have their versions in `library`. Undefined: v5. */
  readonly version?: FeathersVersions | undefined;
  /** `react`, `react@19.2.0`, `react@^19`. */
  readonly library?: string | undefined;
  /** For the whole sections in the answer. */
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
  /** Adds to each hit why it was found. */
  readonly explain?: boolean | undefined;
}

/** The library that `library` means; without a version, all entries of the shipped base. */
export interface LibraryChoice {
  readonly library: string;
  readonly version: string | undefined;
}

export interface ResolvedQuery extends DocQuery {
  /** The results of this page, from `offset` to before `until`. */
  readonly offset: number;
  readonly until: number;
  /** The hash of the results before this page. */
  readonly seen?: string | undefined;
  readonly choice?: LibraryChoice | undefined;
  /** Packages of the project that the query names and that have no docs here. */
  readonly notIngested?: readonly string[];
  /** What is searched: the query, or the rest of it without the names of libraries. */
  readonly text: string;
}

export type DocHit = DocAnswer['results'][number];

export interface SearchOutcome {
  /** Best first; may include semantic hits. */
  readonly hits: readonly HitKey[];
  readonly answer: SearchAnswer;
  /** From 0 to 1. */
  relevanceOf(id: string): number;
  /** Ends a ranking where relevance ends; undefined if words alone rank. */
  keepRelevant?(weighed: readonly HitKey[]): readonly HitKey[];
  /** From 0 to 1; undefined if the hit was found by words alone. */
  similarityOf?(id: string): number | undefined;
  readonly parsed: ParsedQuery;
  /** What was used. */
  readonly mode: RankingMode;
  /** Why meaning could not help although it was asked for. */
  readonly missing?: HybridAnswer['missing'];
  /** Sections that are not embedded yet; undefined if there are none. */
  readonly pending?: number;
  /** Substring search runs only if keyword search finds nothing. */
  readonly how: 'words' | 'substring';
}

/** Entries for both versions match either version. */
const versionsFor = (version: string): readonly string[] =>
  version === 'v4' || version === 'v5' ? [version, 'both'] : [version];

const none: readonly FacetFilter[] = [];
/** One version of the base, and every library. */
const withEdition = (version: string): readonly FacetFilter[] => [
  { key: 'edition', any: [...versionsFor(version), libraryEdition] },
];
const byVersion: Readonly<Record<FeathersVersions, readonly FacetFilter[]>> = {
  v4: withEdition('v4'),
  v5: withEdition('v5'),
  both: none,
  all: none,
};

/** [KN3] [KN4] Without a library, the same array is returned each time: search caches by identity. */
export function toFilters({
  version = 'v5',
  choice,
}: Pick<ResolvedQuery, 'version' | 'choice'>): readonly FacetFilter[] {
  if (choice === undefined) return byVersion[version];
  const library: FacetFilter = { key: 'library', any: [choice.library] };
  if (choice.version === undefined) return [library, ...byVersion[version]];
  return [library, { key: 'version', any: versionsFor(choice.version) }];
}
