import type { Call } from '../call.ts';
import type { SearchAnswer, SearchHit, SearchQuery } from './answer-search.ts';
import type { Collection } from './collection.ts';
import {
  type FusionWeights,
  fuseScores,
  type ItemContext,
  keepRelevant,
  type Rankings,
  type ScoredId,
} from './fuse-scores.ts';
import { type ItemOrder, loadContext } from './item-order.ts';
import { parseQuery } from './keyword/query/parse-query.ts';
import type { HitKey } from './keyword/query/search-parts.ts';
import { toMeaningText } from './meaning-text.ts';
import type { SearchIndex } from './search-index.ts';
import { searchLimits } from './search-limits.ts';
import type { PendingDocuments, SemanticAnswer, SemanticSearch } from './semantic/semantic-search.ts';
import type { SimilarityScale } from './semantic/similarity-scale.ts';

/**
 * If no document has a word of the query, the nearest ones must be this similar, on the scale of the model: some text is
 * a little similar to any token or made-up word. Measured with such queries and with paraphrases.
 */
const wordlessRelevanceMin = 0.55;

/** How the rankings of one collection are combined. */
export interface HybridProfile extends FusionWeights {
  /** Instead, if enough of the best items can be compared token by token. */
  readonly withTokens?: FusionWeights;
  /** An answer in hybrid or meaning mode ends where the relevance of its hits falls below this. */
  readonly relevanceMin: number;
}

const equal: HybridProfile = {
  words: 1,
  meaning: 1,
  late: 0,
  wordsMin: 0.5,
  inside: 0.3,
  similarCount: 100,
  neighbours: [],
  named: 0,
  group: 0,
  relevanceMin: 0.3,
};

const ordered = { ...equal, neighbours: [0.5, 0.25], named: 0.2, group: 0.3 } as const;

/** All weights of the ranking. Measured with `npm run bench -- judged`. */
export const hybridProfiles = {
  notebooks: { ...ordered, withTokens: { ...ordered, words: 0.8, meaning: 0.6, late: 1, named: 0.3, group: 0.5 } },
  instructions: equal,
  /** Their words have synonyms and the names in code, so they miss less. */
  docs: { ...equal, meaning: 0.75 },
  /**
   * Docs of one package. Many of its declarations look alike to the model, so only the few sections that are clearly the
   * most similar count, and words keep their weight.
   */
  packageDocs: { ...equal, meaning: 0.5, wordsMin: 1, similarCount: 5 },
  records: equal,
  entities: equal,
} as const satisfies Readonly<Record<string, HybridProfile>>;

export const rankingModes = ['hybrid', 'words', 'meaning'] as const;
export type RankingMode = (typeof rankingModes)[number];

/** For the hint of an answer that meaning could not help with. */
export const byWordsOnly = {
  embedder: 'The embedder is off or failed, so the search used words only.',
  failure: 'The embedder failed or does not answer, so the search used words only.',
  language: 'The embedding model knows English only, so the search used words only.',
} as const;

/** For the hints of an answer to a query that the search could not use, or not all of it. */
export const queryHints = {
  noWords: 'The query has no word to search for: add one.',
  long: `The query is long: only its first ${searchLimits.queryTermsCount} different words were used.`,
} as const;

/** For the hint of an answer while items are pending; `names` are those of one item and of several. */
export function notEmbedded({ count, isMore }: PendingDocuments, [one, several]: readonly [string, string]): string {
  const isOne = count === 1;
  const items = isOne ? `1 ${one} is` : `${isMore ? 'More than ' : ''}${count} ${several} are`;
  return `${items} not embedded yet; only words find ${isOne ? 'it' : 'them'} until then.`;
}

export interface HybridDeps {
  readonly index: SearchIndex;
  readonly semantic: SemanticSearch;
  readonly profile: HybridProfile;
  readonly order?: ItemOrder;
}

export interface HybridQuery extends SearchQuery {
  /** Default: hybrid. */
  readonly mode?: RankingMode;
}

export interface HybridHit {
  readonly id: string;
  /** Of the fused ranking, or of the keyword ranking alone. Comparable within one answer only. */
  readonly score: number;
  /** From 0 to 1: how well the item answers the query. Comparable between answers of the same model. */
  readonly relevance: number;
  /** Undefined if no word of the query was found in it. */
  readonly keyword: SearchHit | undefined;
  /** Undefined if it is not similar to the query. */
  readonly semantic: { readonly similarity: number; readonly part: number } | undefined;
  /** It is not embedded yet, so its relevance is that of its words. */
  readonly isPending: boolean;
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
  /** Further items match about as well, but only the best were ranked. */
  readonly isCut?: true;
  /** Null if only keyword search was used. */
  readonly embedder: string | null;
  /** What was used. `words` if meaning could not help. */
  readonly mode: RankingMode;
  /** Why meaning could not help although it was asked for. */
  readonly missing?: 'embedder' | 'failure' | 'language';
  readonly hints: readonly string[];
  readonly leftOutCount: number;
  /** The beginning of the similar part, for a hit of semantic search alone. */
  excerpt(text: string, part: number): string;
}

const isBehind = (hit: ScoredId, after: HitKey | undefined): boolean =>
  after === undefined || hit.score < after.score || (hit.score === after.score && hit.id > after.id);

interface Found {
  readonly words: readonly SearchHit[];
  readonly near: SemanticAnswer | undefined;
  readonly context: ItemContext | undefined;
}

/** The better of two measures: the share of the query's words, and the similarity on the scale of the model. */
function createRelevance({ words, near }: Found): (id: string) => number {
  const keyword = new Map(words.map((hit) => [hit.id, hit]));
  const semantic = new Map(near?.hits.map(({ id, similarity }) => [id, similarity]));
  return (id) => {
    const cosine = semantic.get(id);
    const similarity = cosine === undefined ? 0 : near!.scale.toShown(cosine);
    return roundRelevance(Math.max(keyword.get(id)?.coverage ?? 0, similarity));
  };
}

export const roundRelevance = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 1_000) / 1_000;

/** With the signs of fewer of the best items, the scores of the others would be guesses. */
const comparedShareMin = 0.5;

/** Compares the best items token by token, where the collection and the model allow it. */
export async function compareBest(
  best: readonly Pick<ScoredId, 'id'>[],
  near: Pick<SemanticAnswer, 'compareTokens'> | undefined,
): Promise<Rankings['late']> {
  const candidates = best.slice(0, searchLimits.comparedCount).map(({ id }) => id);
  // Among fewer items the better half is not good, so the comparison would only enlarge small differences.
  if (candidates.length < searchLimits.comparedCount) return undefined;
  const scores = await near?.compareTokens?.(candidates);
  return scores !== undefined && scores.size > 0 && scores.size >= candidates.length * comparedShareMin
    ? { candidates, scores }
    : undefined;
}

async function rank(
  mode: RankingMode,
  found: Found,
  { withTokens, ...profile }: HybridProfile,
  relevanceOf: (id: string) => number,
): Promise<readonly ScoredId[]> {
  const { words, near, context } = found;
  const known: Rankings = {
    words: mode === 'meaning' ? [] : words,
    meaning: (near?.hits ?? []).map(({ id, similarity }) => ({ id, score: similarity })),
    clearCosine: clearCosineOf(near?.scale),
    isEmbedded: (id) => near?.isEmbedded(id) === true,
    context,
  };
  const first = fuseScores(known, profile);
  const late = withTokens === undefined ? undefined : await compareBest(first, near);
  const rankings = { ...known, late };
  const fused = withTokens === undefined || late === undefined ? first : fuseScores(rankings, withTokens);
  const isWordless = words.length === 0 && near?.scale.isCalibrated === true;
  const relevanceMin = isWordless ? Math.max(profile.relevanceMin, wordlessRelevanceMin) : profile.relevanceMin;
  if (mode !== 'words') return keepRelevant(fused, { rankings, relevanceMin, relevanceOf });
  const isHit = new Set(words.map(({ id }) => id));
  return fused.filter(({ id }) => isHit.has(id));
}

/** On the scale of a model; see `createSimilarityScale`. */
const clearSimilarity = 0.7;

/** 0 for a model without a scale: its best hit counts as clearly similar. */
export const clearCosineOf = (scale: SimilarityScale | undefined): number =>
  scale?.isCalibrated === true ? scale.toCosine(clearSimilarity) : 0;

const byWords = (answer: SearchAnswer, missing: HybridAnswer['missing']): HybridAnswer => ({
  hits: answer.hits.map((hit) => ({
    ...{ id: hit.id, score: hit.score, relevance: roundRelevance(hit.coverage) },
    ...{ keyword: hit, semantic: undefined, isPending: false },
  })),
  total: answer.total,
  next: answer.next,
  embedder: null,
  mode: 'words',
  ...(missing === undefined ? {} : { missing }),
  hints: answer.hints,
  leftOutCount: answer.leftOutCount,
  excerpt: (text) => text,
});

interface Asked {
  readonly mode: RankingMode;
  readonly missing: HybridAnswer['missing'];
}

/** False for stop words, marks and quotes alone: they mean nothing either. */
export const hasWords = (text: string): boolean =>
  parseQuery(text, { match: 'any', lastWordIsPrefix: false }, (word) => word).terms.length > 0;

/** Meaning cannot help without a model, or if the model does not know the language of the query. */
async function chooseMode(semantic: SemanticSearch, mode: RankingMode, text: string): Promise<Asked> {
  if (mode === 'words' || !hasWords(text)) return { mode: 'words', missing: undefined };
  const { missing } = await semantic.assess(text);
  return { mode: missing === undefined ? mode : 'words', missing };
}

/**
 * Ranks by words, by meaning or by both. All pages are cut from the same ranking; a write between two pages may move a
 * hit across their border, as in the keyword index.
 */
export async function hybridSearch(
  deps: HybridDeps,
  call: Call,
  collection: Collection,
  query: HybridQuery,
): Promise<HybridAnswer> {
  const { index, semantic, profile, order } = deps;
  const { load, after, mode: wanted = 'hybrid', ...rest } = query;
  const { text, filters } = rest;
  const choice = await chooseMode(semantic, wanted, text);
  if (choice.mode === 'words' && order === undefined)
    return byWords(await index.search(call, collection, query), choice.missing);
  // A word that many items have hardly distinguishes them, and ranking them all takes longer than the rest of the search.
  const isByWords = choice.mode === 'words';
  const asked = {
    ...rest,
    limit: searchLimits.hybridWindowCount,
    ...(!isByWords && { commonDocsMin: searchLimits.commonDocsCount }),
  };
  const answer = await index.search(call, collection, asked);
  const near = isByWords
    ? undefined
    : await semantic.nearest(call, collection, {
        text: toMeaningText(text, answer),
        limit: searchLimits.hybridWindowCount,
        ...(filters === undefined ? {} : { filters }),
      });
  // The embedder failed: words alone find more than they add to meaning.
  if (near === undefined && !isByWords)
    return { ...(await hybridSearch(deps, call, collection, { ...query, mode: 'words' })), missing: 'failure' };
  const { mode, missing } = choice;
  const words = answer.hits;
  const context =
    order === undefined
      ? undefined
      : await loadContext({ index, order }, call, collection, query, [words, near?.hits ?? []]);
  const found = { words, near, context };
  const relevanceOf = createRelevance(found);
  const fused = await rank(mode, found, profile, relevanceOf);
  const isRanked = new Set(fused.map(({ id }) => id));
  const ends = [
    answer.next !== undefined && mode !== 'meaning' ? words.at(-1) : undefined,
    near !== undefined && near.hits.length >= asked.limit ? near.hits.at(-1) : undefined,
  ];
  const isCut = ends.some((end) => end !== undefined && isRanked.has(end.id));
  const behind = fused.filter((hit) => isBehind(hit, after));
  const page = behind.slice(0, Math.max(0, query.limit));
  const last = page.at(-1);
  // Load the texts of this page only. Running the search again costs almost nothing.
  const isOnPage = new Set(page.map(({ id }) => id));
  const shown =
    load === undefined
      ? answer
      : await index.search(call, collection, { ...asked, load: (ids) => load(ids.filter((id) => isOnPage.has(id))) });
  const keywordHits = new Map(shown.hits.map((hit) => [hit.id, hit]));
  const semanticHits = new Map(near?.hits.map(({ id, similarity, part }) => [id, { similarity, part }]));
  return {
    hits: page.map(({ id, score }) => ({
      ...{ id, score, relevance: relevanceOf(id) },
      ...{ keyword: keywordHits.get(id), semantic: semanticHits.get(id) },
      isPending: near?.isEmbedded(id) === false,
    })),
    total: mode === 'words' ? answer.total : fused.length,
    next: behind.length > page.length && last ? { score: last.score, id: last.id } : undefined,
    ...(isCut && { isCut }),
    embedder: near?.embedder ?? null,
    mode,
    ...(missing === undefined ? {} : { missing }),
    hints: fused.length === 0 ? answer.hints : [],
    leftOutCount: answer.leftOutCount,
    excerpt: near?.excerpt ?? ((whole) => whole),
  };
}
