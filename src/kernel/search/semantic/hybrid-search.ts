import type { Call } from '../../call.ts';
import type { SearchAnswer, SearchHit, SearchQuery } from '../answer-search.ts';
import type { Collection } from '../collection.ts';
import { type FusedHit, fuseRankings } from '../fusion.ts';
import { parseQuery } from '../keyword/query/parse-query.ts';
import type { HitKey } from '../keyword/query/search-parts.ts';
import type { SearchIndex } from '../search-index.ts';
import { searchLimits } from '../search-limits.ts';
import type { Meaning, MeaningAnswer } from './meaning.ts';

/** A word that is there counts for more than a likeness: measured on judged queries, half is best. */
const meaningWeight = 0.5;
/** Words that match nothing but the inside of others still count for something. */
const wordsWeightMin = 0.1;
/** Below this the model that comes with the program finds likeness in anything. */
export const likenessMin = 0.15;

export interface HybridDeps {
  readonly index: SearchIndex;
  readonly meaning: Meaning;
}

export interface HybridQuery extends SearchQuery {
  /** What is less alike is not found by meaning. */
  readonly similarityMin?: number;
}

export interface HybridHit {
  readonly id: string;
  /** Of the fused ranking; of the keyword ranking when there is no embedder. Comparable within one answer only. */
  readonly score: number;
  /** What the keyword index says of it; undefined for one that was found by meaning alone. */
  readonly words: SearchHit | undefined;
  /** Its likeness and which part of its text that is; undefined for one that was found by words alone. */
  readonly likeness: { readonly similarity: number; readonly part: number } | undefined;
}

export interface HybridAnswer {
  /** By score, then by id. */
  readonly hits: readonly HybridHit[];
  /**
   * With an embedder: the documents in the fused ranking, which holds the best of either side up to a bound; there is no
   * end to what is a little alike. Without: all that match.
   */
  readonly total: number;
  /** The key behind which the next page begins; undefined at the end of the ranking. */
  readonly next: HitKey | undefined;
  /** Null: it went by words alone. */
  readonly embedder: string | null;
  readonly hints: readonly string[];
  readonly leftOutCount: number;
  /** For a hit by meaning alone: the beginning of the part of its text that is alike. */
  excerpt(text: string, part: number): string;
}

const byWords = (answer: SearchAnswer): HybridAnswer => ({
  hits: answer.hits.map((words) => ({ id: words.id, score: words.score, words, likeness: undefined })),
  total: answer.total,
  next: answer.next,
  embedder: null,
  hints: answer.hints,
  leftOutCount: answer.leftOutCount,
  excerpt: (text) => text,
});

const isBehind = (hit: FusedHit, after: HitKey | undefined): boolean =>
  after === undefined || hit.score < after.score || (hit.score === after.score && hit.id > after.id);

interface Page {
  readonly fused: readonly FusedHit[];
  readonly page: readonly FusedHit[];
  readonly next: HitKey | undefined;
}

/**
 * The largest share of the query's words that one document has. Where the best has one stray word of five, the ranking by
 * words tells little: measured, weighing it so lifts questions asked in other words by a tenth and lowers no other.
 */
function coverageOf(
  hits: readonly SearchHit[],
  { text, match = 'any', lastWordIsPrefix = false }: HybridQuery,
): number {
  const { units } = parseQuery(text, { match, lastWordIsPrefix }, (word) => word);
  const most = hits.reduce((best, { why }) => Math.max(best, why.how === 'words' ? why.terms.length : 0), 0);
  return Math.max(wordsWeightMin, Math.min(1, most / Math.max(1, units.length)));
}

function toPage(words: readonly SearchHit[], near: MeaningAnswer, query: HybridQuery): Page {
  const { after, limit } = query;
  const fused = fuseRankings([
    { ids: words.map(({ id }) => id), weight: coverageOf(words, query) },
    { ids: near.hits.map(({ id }) => id), weight: meaningWeight },
  ]);
  const rest = fused.filter((hit) => isBehind(hit, after));
  const page = rest.slice(0, Math.max(0, limit));
  const last = page.at(-1);
  return { fused, page, next: rest.length > page.length && last ? { score: last.score, id: last.id } : undefined };
}

/**
 * Words and meaning in one ranking, by reciprocal rank. A page is cut out of the same fused ranking as the page before;
 * a write between two pages may move a hit across their border, as it may in the keyword index.
 */
export async function hybridSearch(
  { index, meaning }: HybridDeps,
  call: Call,
  collection: Collection,
  query: HybridQuery,
): Promise<HybridAnswer> {
  const { text, filters, load, after: _after, similarityMin = likenessMin, ...rest } = query;
  const limit = searchLimits.hybridWindowCount;
  const filtered = filters === undefined ? {} : { filters };
  const near = await meaning.nearest(call, collection, { text, limit, similarityMin, ...filtered });
  if (near === undefined) return byWords(await index.search(call, collection, query));
  const asked = { ...rest, ...filtered, text, limit };
  const words = await index.search(call, collection, asked);
  const { fused, page, next } = toPage(words.hits, near, query);
  // Only now is it known whose texts have to be read: those of this page. The search itself costs next to nothing.
  const isOnPage = new Set(page.map(({ id }) => id));
  const shown =
    load === undefined
      ? words
      : await index.search(call, collection, { ...asked, load: (ids) => load(ids.filter((id) => isOnPage.has(id))) });
  const wordsById = new Map(shown.hits.map((hit) => [hit.id, hit]));
  const likenessById = new Map(near.hits.map(({ id, similarity, part }) => [id, { similarity, part }]));
  return {
    hits: page.map(({ id, score }) => ({ id, score, words: wordsById.get(id), likeness: likenessById.get(id) })),
    total: fused.length,
    next,
    embedder: near.embedder,
    hints: fused.length === 0 ? words.hints : [],
    leftOutCount: words.leftOutCount,
    excerpt: near.excerpt,
  };
}
