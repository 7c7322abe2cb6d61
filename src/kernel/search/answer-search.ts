import type { Collection } from './collection.ts';
import type { WordScore } from './fuse-scores.ts';
import { partsOf, type View } from './keyword/index/view.ts';
import type { FacetFilter } from './keyword/query/filter.ts';
import { type Highlight, highlightField } from './keyword/query/highlight.ts';
import { nearestWords } from './keyword/query/nearest-words.ts';
import { type ParsedQuery, parseQuery, type QueryTerm } from './keyword/query/parse-query.ts';
import { substringCeiling } from './keyword/query/rank-part.ts';
import { inverseFrequency } from './keyword/query/score-part.ts';
import type { BuffersFor } from './keyword/query/search-buffers.ts';
import { type Found, type HitKey, type ScoredDoc, searchParts } from './keyword/query/search-parts.ts';
import { type FieldRows, hasDoc } from './keyword/query/term-rows.ts';
import { searchLimits } from './search-limits.ts';
import type { StaticIndex } from './static-index.ts';
import type { StemOf } from './stemmer.ts';

interface MatchReason {
  /** `substring`: the document has none of the words, but the query occurs inside its words. */
  readonly how: 'words' | 'substring';
  /** The terms of the query that the document has, and in which fields. */
  readonly terms: readonly { readonly term: string; readonly fields: readonly string[] }[];
  /** The query equals the id or the title. */
  readonly boosts: readonly ('id' | 'title')[];
}

function explain(collection: Collection, parsed: ParsedQuery, { doc, score, from }: ScoredDoc): MatchReason {
  const fieldsWith = (lists: readonly FieldRows[]) =>
    lists.filter((list) => hasDoc(list, doc)).map(({ field }) => collection.fields[field]!);
  if (score < substringCeiling) {
    return { how: 'substring', terms: [{ term: parsed.literal, fields: fieldsWith(from.inside) }], boosts: [] };
  }
  const terms = parsed.terms
    .map((term, i) => ({ term: term.text, fields: fieldsWith(from.terms[i]!.lists) }))
    .filter(({ fields }) => fields.length > 0);
  const boosts: MatchReason['boosts'][number][] = [];
  if (from.idDocs.includes(doc)) boosts.push('id');
  if (from.titleDocs.includes(doc)) boosts.push('title');
  return { how: 'words', terms, boosts };
}

/** Leaves out documents that are gone. */
export type LoadFields = (
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Readonly<Record<string, string | undefined>>>>;

export interface SearchQuery {
  /** `words`, `prefix*`, `"words that belong together"`. */
  readonly text: string;
  readonly limit: number;
  readonly match?: 'any' | 'all';
  /** Applied before the limit and the total. */
  readonly filters?: readonly FacetFilter[];
  /** The last hit of the previous page. */
  readonly after?: HitKey;
  readonly lastWordIsPrefix?: boolean;
  /** The text, if the caller has already parsed it. It then includes `match` and `lastWordIsPrefix`. */
  readonly parsed?: ParsedQuery;
  /** Whether substring matches follow the word matches. Default: true. */
  readonly substring?: boolean;
  /** See `PartsQuery`. */
  readonly commonDocsMin?: number;
  /** Shipped documents that are ranked together with the tenant's own. Their ids differ from the tenant's. */
  readonly staticParts?: readonly StaticIndex[];
  /** Provides the texts for highlights; without it there are none. */
  readonly load?: LoadFields;
}

export interface SearchHit extends HitKey, WordScore {
  readonly why: MatchReason;
  has(term: number): boolean;
  readonly highlights: readonly Highlight[];
}

export interface SearchAnswer {
  /** By score, then by id. */
  readonly hits: readonly SearchHit[];
  /** All matches, not only this page. */
  readonly total: number;
  /** The tenant's own documents, matching or not. */
  readonly ownCount: number;
  /** The position after which the next page begins; undefined at the end. */
  readonly next: HitKey | undefined;
  /** Known words similar to the query's, if nothing was found. */
  readonly hints: readonly string[];
  /** Words of an overlong query that were ignored. */
  readonly leftOutCount: number;
  /** Documents that pass the filters, matching or not. */
  readonly filteredCount: number;
  /** The terms of the query, and how many of these documents have each. */
  readonly terms: readonly { readonly key: string; readonly docCount: number }[];
}

export interface AnswerDeps {
  readonly stemOf: StemOf;
  readonly buffersFor: BuffersFor;
}

/** Answers synchronously unless texts have to be loaded. */
export function answerSearch(
  collection: Collection,
  view: View,
  query: SearchQuery,
  deps: AnswerDeps,
): SearchAnswer | Promise<SearchAnswer> {
  const { stemOf, buffersFor } = deps;
  const {
    match = 'any',
    lastWordIsPrefix = false,
    substring = true,
    filters = [],
    staticParts = [],
    after,
    commonDocsMin,
  } = query;
  const limit = Math.max(0, Math.min(Math.floor(query.limit), searchLimits.hitsCount));
  const parsed = query.parsed ?? parseQuery(query.text, { match, lastWordIsPrefix }, stemOf);
  const own = partsOf(view);
  // Pass the same array if the tenant has no parts: statistics are cached by its identity.
  const parts = own.length === 0 ? staticParts : [...own, ...staticParts];
  const found = searchParts(
    collection,
    parts,
    { parsed, match, filters, limit, after, substring, commonDocsMin },
    buffersFor,
  );
  const searched = { collection, parsed, termWeights: weighTerms(parsed, found) };
  const bare = found.docs.map((doc) => new KeywordHit(doc, searched));
  const last = bare.at(-1);
  const hints =
    found.total === 0 ? nearestWords(parts, wordsOf(parsed), stemOf, searchLimits.hintsCount, buffersFor) : [];
  const answer = {
    hits: bare,
    total: found.total,
    ownCount: own.reduce((sum, { liveCount }) => sum + liveCount, 0),
    next: found.hasMore && last !== undefined ? { score: last.score, id: last.id } : undefined,
    hints,
    leftOutCount: parsed.leftOutCount,
    filteredCount: found.docCount,
    terms: parsed.terms.map(({ key }, i) => ({ key, docCount: found.termCounts[i]! })),
  };
  if (query.load === undefined || bare.length === 0) return answer;
  return addHighlights(collection, parsed, bare, query.load, stemOf).then((hits) => ({ ...answer, hits }));
}

const noHighlights: readonly Highlight[] = [];

/** A match inside words says less than a word. */
const insideCoverage = 0.5;

interface Searched {
  readonly collection: Collection;
  readonly parsed: ParsedQuery;
  /** How much each term counts for the coverage of a hit. */
  readonly termWeights: readonly number[];
}

const weighTerms = ({ terms }: ParsedQuery, { docCount, termCounts }: Found): readonly number[] =>
  terms.map(({ isWord, kind, weight }, i) => {
    if (!isWord && kind !== 'prefix') return 0;
    const count = termCounts[i]!;
    // A word that no document has may be a typo, which says little about the hits.
    return Math.min(1, weight) * inverseFrequency(docCount, count) * (count === 0 ? 0.5 : 1);
  });

/** The reason is computed on demand, because most callers do not read it. */
class KeywordHit implements SearchHit {
  readonly id: string;
  readonly score: number;
  readonly highlights: readonly Highlight[];
  readonly #doc: ScoredDoc;
  readonly #searched: Searched;
  #why: MatchReason | undefined;

  constructor(doc: ScoredDoc, searched: Searched, highlights = noHighlights) {
    this.id = doc.id;
    this.score = doc.score;
    this.highlights = highlights;
    this.#doc = doc;
    this.#searched = searched;
  }

  get why(): MatchReason {
    const { collection, parsed } = this.#searched;
    this.#why ??= explain(collection, parsed, this.#doc);
    return this.#why;
  }

  get kind(): WordScore['kind'] {
    const { doc, score, from } = this.#doc;
    if (score < substringCeiling) return 'inside';
    return from.idDocs.includes(doc) || from.titleDocs.includes(doc) ? 'exact' : 'words';
  }

  get coverage(): number {
    if (this.kind !== 'words') return this.kind === 'exact' ? 1 : insideCoverage;
    const { parsed, termWeights } = this.#searched;
    let all = 0;
    let own = 0;
    for (let i = 0; i < termWeights.length; i += 1) {
      const weight = termWeights[i]!;
      if (weight === 0) continue;
      all += weight;
      if (this.has(i) || this.#isReplaced(parsed.terms[i]!)) own += weight;
    }
    return all === 0 ? 1 : own / all;
  }

  /** Whether it has a guess instead of the word. */
  #isReplaced({ key }: QueryTerm): boolean {
    return this.#searched.parsed.terms.some(({ replaces }, i) => replaces?.includes(key) === true && this.has(i));
  }

  has(term: number): boolean {
    const { doc, from } = this.#doc;
    for (const list of from.terms[term]!.lists) if (hasDoc(list, doc)) return true;
    return false;
  }

  withHighlights(highlights: readonly Highlight[]): KeywordHit {
    return new KeywordHit(this.#doc, this.#searched, highlights);
  }
}

const wordsOf = ({ terms }: ParsedQuery): readonly string[] =>
  terms.flatMap(({ kind, text, key: term, slots }) =>
    kind === 'phrase' ? slots.map(({ word }) => word) : [kind === 'prefix' ? term : text],
  );

async function addHighlights(
  collection: Collection,
  parsed: ParsedQuery,
  hits: readonly KeywordHit[],
  load: LoadFields,
  stemOf: StemOf,
): Promise<readonly SearchHit[]> {
  const texts = await load(hits.map(({ id }) => id));
  return hits.map((hit) => {
    const fields = texts.get(hit.id) ?? {};
    const highlights = collection.fields
      .map((field) => highlightField(field, fields[field] ?? '', { parsed, how: hit.why.how, stemOf }))
      .filter((highlight) => highlight !== undefined);
    return hit.withHighlights(highlights);
  });
}
