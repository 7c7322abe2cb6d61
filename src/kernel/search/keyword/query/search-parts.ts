import type { Collection } from '../../collection.ts';
import { searchLimits } from '../../search-limits.ts';
import { findWord, toKey } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import { allowedDocs, type FacetFilter } from './filter.ts';
import type { ParsedQuery } from './parse-query.ts';
import { docIn, idIn, type Part } from './part.ts';
import type { PhraseSlot } from './phrase-rows.ts';
import { rankPart, type WeighedTerm } from './rank-part.ts';
import { inverseFrequency, lengthsOf, statisticsOf } from './score-part.ts';
import type { BuffersFor } from './search-buffers.ts';
import { countMatches, type FieldRows, hasDoc, matchTerm, slotRows, type TermMatch } from './term-rows.ts';
import { chooseInfix, choosePrefix, chooseSuffix, chooseWord } from './word-choice.ts';

/**
 * Whether the query can match inside words where its words do not match. With three or more words the middle ones must
 * occur as whole words, so if any word is enough, such a document matches anyway.
 */
function canMatchInside({ words }: ParsedQuery, match: 'any' | 'all'): boolean {
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined || (match === 'any' && words.length > 2)) return false;
  return isLongEnough(first.word) && isLongEnough(last.word);
}

/** A single Latin letter is in nearly every document; a single character of other scripts can be a word. */
const isLongEnough = (word: string): boolean => word.length >= searchLimits.substringChars || word.charCodeAt(0) > 127;

/** Stems that imply a word match: none if all words are required. */
function stemsFoundAnyway(segment: Segment, { terms, groupCount }: ParsedQuery): ReadonlySet<number> {
  const words = groupCount > 0 ? [] : terms.filter(({ kind }) => kind === 'word');
  return new Set(words.map(({ key: term }) => findWord(segment.stems, toKey(term))));
}

/**
 * Finds the query as running text: its first word may begin and its last word may end inside a word. Documents that
 * match by words may be left out, which saves most of the work.
 */
function substringRows(part: Part, parsed: ParsedQuery, buffersFor: BuffersFor): readonly FieldRows[] {
  const { segment } = part;
  const { words } = parsed;
  const [first] = words;
  if (first === undefined) return [];
  const foundAnyway = stemsFoundAnyway(segment, parsed);
  const slots: PhraseSlot[] = [];
  // The first word comes last: only its spelling is compared with all words of the segment.
  for (let i = words.length - 1; i >= 0; i -= 1) {
    const { word, offset } = words[i]!;
    const all =
      words.length === 1
        ? chooseInfix(segment, word)
        : i === 0
          ? chooseSuffix(segment, word)
          : i === words.length - 1
            ? choosePrefix(segment, word)
            : chooseWord(segment, word);
    const choices = all.filter(({ stem }) => !foundAnyway.has(stem));
    if (choices.length === 0) return [];
    slots.push({ offset: offset - first.offset, choices });
  }
  return slotRows(part, slots, buffersFor);
}

/** Documents whose title consists of exactly the words of the query, in its order if it is a phrase. */
function titleDocs(
  collection: Collection,
  { terms, words, leftOutCount }: ParsedQuery,
  part: Part,
  matches: readonly TermMatch[],
): readonly number[] {
  const { titleField } = collection;
  if (titleField === undefined || words.length === 0 || leftOutCount > 0) return none;
  const title = collection.fields.indexOf(titleField);
  const lists: FieldRows[] = [];
  let rarest: FieldRows | undefined;
  for (let i = 0; i < terms.length; i += 1) {
    if (!terms[i]!.isWord && terms[i]!.kind !== 'phrase') continue;
    const list = listOf(matches[i]!, title);
    if (list === undefined) return none;
    lists.push(list);
    if (rarest === undefined || list.to - list.from < rarest.to - rarest.from) rarest = list;
  }
  if (rarest === undefined) return none;
  const lengths = lengthsOf(part, title);
  const found: number[] = [];
  for (let i = rarest.from; i < rarest.to; i += 1) {
    const doc = rarest.rows[i]! >>> 8;
    if (lengths[doc] === words.length && lists.every((list) => hasDoc(list, doc))) found.push(doc);
  }
  return found;
}

const none: readonly number[] = [];

function listOf({ lists }: TermMatch, field: number): FieldRows | undefined {
  for (const list of lists) if (list.field === field) return list;
  return undefined;
}

/** The position of a hit in the ranking: the next page begins after it. */
export interface HitKey {
  readonly score: number;
  readonly id: string;
}

export interface PartsQuery {
  readonly parsed: ParsedQuery;
  readonly match: 'any' | 'all';
  readonly filters: readonly FacetFilter[];
  readonly limit: number;
  readonly after: HitKey | undefined;
  /** Whether matches inside words follow word matches. */
  readonly substring: boolean;
  /**
   * A word in more documents than this, and in more than a tenth of all, only ranks documents that a rarer word of the
   * query has found. It would find a large part of a large index, and cost as much. Default: no word counts as common.
   */
  readonly commonDocsMin?: number | undefined;
}

export interface ScoredDoc extends HitKey {
  readonly doc: number;
  readonly from: PartMatch;
}

export interface Found {
  /** Documents that pass the filters. */
  readonly docCount: number;
  /** By term of the query: documents that have it and pass the filters. */
  readonly termCounts: readonly number[];
  /** The page, best first. */
  readonly docs: readonly ScoredDoc[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface PartMatch {
  readonly part: Part;
  readonly terms: readonly TermMatch[];
  readonly inside: readonly FieldRows[];
  readonly idDocs: readonly number[];
  readonly titleDocs: readonly number[];
}

const noDocs: readonly number[] = [];

/** Unless every word that was found is common. */
function markCommon(terms: readonly WeighedTerm[], counts: readonly number[], commonMin: number): void {
  if (counts.every((count) => count === 0 || count > commonMin)) return;
  for (const [i, term] of terms.entries()) term.isCommon = counts[i]! > commonMin;
}

/** Synchronous from beginning to end: the buffers belong to one search at a time. */
export function searchParts(
  collection: Collection,
  parts: readonly Part[],
  query: PartsQuery,
  buffersFor: BuffersFor,
): Found {
  if (query.parsed.terms.length === 0) return { docCount: 0, termCounts: [], docs: [], total: 0, hasMore: false };
  const allowed = parts.map((part) => allowedDocs(part, query.filters));
  const statistics = statisticsOf(collection, parts, query.filters, allowed);
  const looksInside = query.substring && canMatchInside(query.parsed, query.match);
  const matches = parts.map((part) => matchPart(collection, query.parsed, part, looksInside, buffersFor));
  const counts = query.parsed.terms.map((_, i) => {
    let found = 0;
    for (let p = 0; p < parts.length; p += 1) {
      found += countMatches(parts[p]!, matches[p]!.terms[i]!, query.filters, allowed[p], buffersFor);
    }
    return found;
  });
  const weighed = query.parsed.terms.map(({ weight }, i) => ({
    gain: weight * (collection.k1 + 1) * inverseFrequency(statistics.docCount, counts[i]!),
    isCommon: false,
  }));
  if (query.commonDocsMin !== undefined && query.parsed.groupCount === 0) {
    markCommon(weighed, counts, Math.max(query.commonDocsMin, statistics.docCount / 10));
  }
  const docs: ScoredDoc[] = [];
  let total = 0;
  let remaining = 0;
  for (const [p, match] of matches.entries()) {
    const found = rankPart(collection, statistics, query, match, { weighed, allowed: allowed[p] }, buffersFor);
    total += found.total;
    remaining += found.remaining;
    const { top } = found;
    for (let i = 0; i < top.count; i += 1) {
      const doc = top.numbers[i]!;
      docs.push({ doc, score: top.scores[i]!, id: idIn(match.part, doc), from: match });
    }
  }
  docs.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const { docCount } = statistics;
  return { docCount, termCounts: counts, docs: docs.slice(0, query.limit), total, hasMore: remaining > query.limit };
}

function matchPart(
  collection: Collection,
  parsed: ParsedQuery,
  part: Part,
  looksInside: boolean,
  buffersFor: BuffersFor,
): PartMatch {
  const terms = parsed.terms.map((term) => matchTerm(part, term, buffersFor));
  return {
    part,
    terms,
    inside: looksInside ? substringRows(part, parsed, buffersFor) : [],
    idDocs: idDocs(part, parsed.literal),
    titleDocs: titleDocs(collection, parsed, part, terms),
  };
}

/** Documents whose id is the query, as it is or in lower case. */
function idDocs(part: Part, literal: string): readonly number[] {
  const lower = literal.toLowerCase();
  const [doc, lowerDoc] = [docIn(part, literal), lower === literal ? -1 : docIn(part, lower)];
  return doc < 0 && lowerDoc < 0 ? noDocs : [doc, lowerDoc].filter((found) => found >= 0);
}
