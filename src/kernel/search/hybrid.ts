import type { Call } from '../call.ts';
import type { SearchAnswer, SearchHit, SearchQuery } from './answer-search.ts';
import type { Collection } from './collection.ts';
import { parseQuery } from './keyword/query/parse-query.ts';
import type { HitKey } from './keyword/query/search-parts.ts';
import type { SearchIndex } from './search-index.ts';
import { searchLimits } from './search-limits.ts';
import type { SemanticAnswer, SemanticSearch } from './semantic/semantic-search.ts';

/** How the keyword and the semantic ranking of one collection are combined. */
interface HybridWeights {
  /** Relative to a keyword ranking whose best hit has every word of the query. */
  readonly semanticWeight: number;
  /** The keyword ranking weighs as much as its best hit covers the query, but never less than this. */
  readonly keywordWeightMin: number;
}

export interface HybridProfile extends HybridWeights {
  /** Less similar documents are not semantic hits. */
  readonly similarityMin: number;
}

// Measured on judged queries: a semantic weight of one half is best, and below a similarity of 0.15 the shipped model
// finds anything similar.
const measured: HybridProfile = { semanticWeight: 0.5, keywordWeightMin: 0.1, similarityMin: 0.15 };

export const hybridProfiles = {
  notebooks: measured,
  instructions: measured,
  /** Docs ask the embedder only if the best keyword hit covers less than this share of the query. */
  docs: { ...measured, similarityMin: 0.3, coverageEnough: 0.5 },
  /** Equal weights: the threshold in the call has already left out what is only a little similar. */
  records: { semanticWeight: 1, keywordWeightMin: 1 },
  /** Entities are short texts with few words, so a similar one must be clearly similar. On the scale of the model. */
  entities: { semanticWeight: 0.5, keywordWeightMin: 0.1, shownMin: 0.6 },
} as const;

interface FusedHit {
  readonly id: string;
  readonly score: number;
}

/** How fast a rank loses its weight (Cormack, Clarke and Büttcher 2009). */
export const fusionK = 60;

interface HybridRankings {
  readonly keyword: readonly string[];
  readonly semantic: readonly string[];
  /** The share of the query that the keyword ranking covers, 0 to 1. */
  readonly coverage: number;
}

/**
 * Reciprocal-rank fusion: each ranking gives weight / (k + rank), so that the two kinds of score need not be comparable.
 * By score, then by id.
 */
export function fuseRankings(
  { keyword, semantic, coverage }: HybridRankings,
  { keywordWeightMin, semanticWeight }: HybridWeights,
): readonly FusedHit[] {
  const scores = new Map<string, number>();
  const add = (ids: readonly string[], weight: number): void => {
    for (const [i, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (fusionK + i + 1));
  };
  add(keyword, Math.max(keywordWeightMin, coverage));
  add(semantic, semanticWeight);
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

export interface HybridDeps {
  readonly index: SearchIndex;
  readonly semantic: SemanticSearch;
  readonly profile: HybridProfile;
}

export interface HybridHit {
  readonly id: string;
  /** Of the fused ranking, or of the keyword ranking without an embedder. Comparable within one answer only. */
  readonly score: number;
  /** Undefined for a hit of semantic search alone. */
  readonly keyword: SearchHit | undefined;
  /** Undefined for a hit of keyword search alone. */
  readonly semantic: { readonly similarity: number; readonly part: number } | undefined;
}

export interface HybridAnswer {
  /** By score, then by id. */
  readonly hits: readonly HybridHit[];
  /**
   * With an embedder: the size of the fused ranking, which holds the best of both up to a limit, because everything is
   * a little similar. Without: all matches.
   */
  readonly total: number;
  /** The position after which the next page begins; undefined at the end of the ranking. */
  readonly next: HitKey | undefined;
  /** Null if only keyword search was used. */
  readonly embedder: string | null;
  readonly hints: readonly string[];
  readonly leftOutCount: number;
  /** The beginning of the similar part, for a hit of semantic search alone. */
  excerpt(text: string, part: number): string;
}

const byWords = (answer: SearchAnswer): HybridAnswer => ({
  hits: answer.hits.map((hit) => ({ id: hit.id, score: hit.score, keyword: hit, semantic: undefined })),
  total: answer.total,
  next: answer.next,
  embedder: null,
  hints: answer.hints,
  leftOutCount: answer.leftOutCount,
  excerpt: (text) => text,
});

const isBehind = (hit: FusedHit, after: HitKey | undefined): boolean =>
  after === undefined || hit.score < after.score || (hit.score === after.score && hit.id > after.id);

/**
 * The largest share of the query's words that one hit has. If the best hit has one stray word of five, the keyword ranking
 * says little: measured, this weight improves paraphrased questions by a tenth and makes no others worse.
 */
function coverageOf(
  hits: readonly SearchHit[],
  { text, match = 'any', lastWordIsPrefix = false }: SearchQuery,
): number {
  const { terms: units } = parseQuery(text, { match, lastWordIsPrefix }, (word) => word);
  const most = hits.reduce((best, { why }) => Math.max(best, why.how === 'words' ? why.terms.length : 0), 0);
  return Math.min(1, most / Math.max(1, units.length));
}

const idsOf = (hits: readonly { readonly id: string }[]): readonly string[] => hits.map(({ id }) => id);

function toPage(words: readonly SearchHit[], near: SemanticAnswer, query: SearchQuery, profile: HybridProfile) {
  const { after, limit } = query;
  const rankings = { keyword: idsOf(words), semantic: idsOf(near.hits), coverage: coverageOf(words, query) };
  const fused = fuseRankings(rankings, profile);
  const rest = fused.filter((hit) => isBehind(hit, after));
  const page = rest.slice(0, Math.max(0, limit));
  const last = page.at(-1);
  return { fused, page, next: rest.length > page.length && last ? { score: last.score, id: last.id } : undefined };
}

/**
 * Combines keyword and semantic hits by reciprocal rank. All pages are cut from the same fused ranking; a write between
 * two pages may move a hit across their border, as in the keyword index.
 */
export async function hybridSearch(
  { index, semantic, profile }: HybridDeps,
  call: Call,
  collection: Collection,
  query: SearchQuery,
): Promise<HybridAnswer> {
  const { text, filters, load, after: _after, ...rest } = query;
  const limit = searchLimits.hybridWindowCount;
  const filtered = filters === undefined ? {} : { filters };
  const near = await semantic.nearest(call, collection, {
    text,
    limit,
    similarityMin: profile.similarityMin,
    ...filtered,
  });
  if (near === undefined) return byWords(await index.search(call, collection, query));
  const asked = { ...rest, ...filtered, text, limit };
  const words = await index.search(call, collection, asked);
  const { fused, page, next } = toPage(words.hits, near, query, profile);
  // Load the texts of this page only. Running the search again costs almost nothing.
  const isOnPage = new Set(page.map(({ id }) => id));
  const shown =
    load === undefined
      ? words
      : await index.search(call, collection, { ...asked, load: (ids) => load(ids.filter((id) => isOnPage.has(id))) });
  const keywordHits = new Map(shown.hits.map((hit) => [hit.id, hit]));
  const semanticHits = new Map(near.hits.map(({ id, similarity, part }) => [id, { similarity, part }]));
  return {
    hits: page.map(({ id, score }) => ({ id, score, keyword: keywordHits.get(id), semantic: semanticHits.get(id) })),
    total: fused.length,
    next,
    embedder: near.embedder,
    hints: fused.length === 0 ? words.hints : [],
    leftOutCount: words.leftOutCount,
    excerpt: near.excerpt,
  };
}
