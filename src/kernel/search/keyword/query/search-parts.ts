import type { Collection } from '../../collection.ts';
import { searchLimits } from '../../search-limits.ts';
import { findWord, toKey } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import type { FacetFilter } from './filter.ts';
import type { ParsedQuery } from './parse-query.ts';
import { docIn, idIn, type Part } from './part.ts';
import type { PhraseSlot } from './phrase-rows.ts';
import { rankPart } from './rank-part.ts';
import { inverseFrequency, lengthsOf, statisticsOf } from './score-part.ts';
import type { BuffersFor } from './search-buffers.ts';
import { type FieldRows, hasDoc, matchTerm, slotRows, type TermMatch } from './term-rows.ts';
import { chooseInfix, choosePrefix, chooseSuffix, chooseWord } from './word-choice.ts';

/**
 * Whether a query can have matches inside words that its words do not find themselves. Of three or more words the middle
 * ones must stand there as they are, so when any word is enough, such a document is found anyway.
 */
function canMatchInside({ words }: ParsedQuery, match: 'any' | 'all'): boolean {
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined || (match === 'any' && words.length > 2)) return false;
  return isLongEnough(first.word) && isLongEnough(last.word);
}

/** One letter of ours is in nearly every document; one character of other scripts can be a word. */
const isLongEnough = (word: string): boolean => word.length >= searchLimits.substringChars || word.charCodeAt(0) > 127;

/** Stems that a document cannot have without being found by its words: none when all of the words are needed. */
function stemsFoundAnyway(segment: Segment, { terms, groupCount }: ParsedQuery): ReadonlySet<number> {
  const words = groupCount > 0 ? [] : terms.filter(({ kind }) => kind === 'word');
  return new Set(words.map(({ key: term }) => findWord(segment.stems, toKey(term))));
}

/**
 * Where the query stands as a stretch of text: its first word may begin, its last word may end inside a word. Documents
 * that are found by words need not be among them, and most of those that hold the query would be.
 */
function substringRows(part: Part, parsed: ParsedQuery, buffersFor: BuffersFor): readonly FieldRows[] {
  const { segment } = part;
  const { words } = parsed;
  const [first] = words;
  if (first === undefined) return [];
  const foundAnyway = stemsFoundAnyway(segment, parsed);
  const slots: PhraseSlot[] = [];
  for (const [i, { word, offset }] of words.entries()) {
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

/** Documents whose title is made of the words of the query and no others. */
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
    if (!terms[i]!.isWord) continue;
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

/** The place of a hit in the order of all: the next page begins behind it. */
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
  /** Whether documents that hold the query inside of words follow those that hold its words. */
  readonly substring: boolean;
}

export interface ScoredDoc extends HitKey {
  readonly doc: number;
  readonly from: PartMatch;
}

export interface Found {
  /** The page, best first. */
  readonly docs: readonly ScoredDoc[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** What the terms find in one part. */
export interface PartMatch {
  readonly part: Part;
  readonly terms: readonly TermMatch[];
  readonly inside: readonly FieldRows[];
  readonly idDocs: readonly number[];
  readonly titleDocs: readonly number[];
}

const noDocs: readonly number[] = [];

/** Without a pause from beginning to end: the buffers belongs to one search at a time. */
export function searchParts(
  collection: Collection,
  parts: readonly Part[],
  query: PartsQuery,
  buffersFor: BuffersFor,
): Found {
  if (query.parsed.terms.length === 0) return { docs: [], total: 0, hasMore: false };
  const statistics = statisticsOf(collection, parts);
  const looksInside = query.substring && canMatchInside(query.parsed, query.match);
  const matches = parts.map((part) => matchPart(collection, query.parsed, part, looksInside, buffersFor));
  const gains = query.parsed.terms.map((term, i) => {
    let found = 0;
    for (const { terms } of matches) found += terms[i]!.docCount;
    return term.weight * (collection.k1 + 1) * inverseFrequency(statistics.docCount, found);
  });
  const docs: ScoredDoc[] = [];
  let total = 0;
  let remaining = 0;
  for (const match of matches) {
    const found = rankPart(collection, statistics, query, match, gains, buffersFor);
    total += found.total;
    remaining += found.remaining;
    const { top } = found;
    for (let i = 0; i < top.count; i += 1) {
      const doc = top.docs[i]!;
      docs.push({ doc, score: top.scores[i]!, id: idIn(match.part, doc), from: match });
    }
  }
  docs.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return { docs: docs.slice(0, query.limit), total, hasMore: remaining > query.limit };
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
