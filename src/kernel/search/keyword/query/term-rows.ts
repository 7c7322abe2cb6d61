import { findWord, toKey } from '../segment/dictionary.ts';
import { GrowU32 } from '../segment/grow.ts';
import { ListCursor } from '../segment/list-cursor.ts';
import { type Bits, countMax, hasBit, type Segment } from '../segment/segment.ts';
import type { FacetFilter } from './filter.ts';
import type { QueryTerm } from './parse-query.ts';
import type { Part } from './part.ts';
import { type PhraseSlot, phraseRows } from './phrase-rows.ts';
import type { TermWeights } from './score-part.ts';
import type { BuffersFor } from './search-buffers.ts';
import { type Choice, choosePrefix, chooseWord } from './word-choice.ts';

/** Occurrences in one field: rows [from, to) of an array, in document order, document << 8 | count. */
export interface FieldRows {
  readonly field: number;
  readonly rows: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** The matches of a term in one part: at most one entry per field, in field order. */
export interface TermMatch {
  readonly lists: readonly FieldRows[];
  /** Live documents that have it in any field. */
  readonly docCount: number;
  /** Cached with the match, as are the counts in filtered sets. */
  weights?: TermWeights;
  setCounts?: WeakMap<readonly FacetFilter[], number>;
}

const noMatch: TermMatch = { lists: [], docCount: 0 };

export function matchTerm(part: Part, term: QueryTerm, buffersFor: BuffersFor): TermMatch {
  const also = term.alsoKey === undefined ? -1 : findWord(part.segment.stems, toKey(term.alsoKey));
  if (term.kind === 'word' && also < 0) return matchStem(part, term.key, buffersFor);
  const lists =
    term.kind === 'word'
      ? choiceRows(part, eitherStem(part, term.key, also), buffersFor)
      : term.kind === 'prefix'
        ? choiceRows(part, choosePrefix(part.segment, term.key), buffersFor)
        : slotRows(
            part,
            term.slots.map(({ word, offset }) => ({ offset, choices: chooseWord(part.segment, word) })),
            buffersFor,
          );
  return lists.length === 0 ? noMatch : { lists, docCount: countDocs(part, lists, buffersFor) };
}

/** The stem of a word, if the segment has it, and its stem in another language. */
const eitherStem = ({ segment }: Part, term: string, also: number): readonly Choice[] =>
  [findWord(segment.stems, toKey(term)), also].filter((stem) => stem >= 0).map((stem) => ({ stem, forms: undefined }));

export const slotRows = (part: Part, slots: readonly PhraseSlot[], buffersFor: BuffersFor): readonly FieldRows[] =>
  slots.length === 1 ? choiceRows(part, slots[0]!.choices, buffersFor) : phraseRows(part, slots);

function matchStem(part: Part, term: string, buffersFor: BuffersFor): TermMatch {
  const { segment, cache: memory } = part;
  const stem = memory === undefined ? findWord(segment.stems, toKey(term)) : memory.stemOf(segment, term);
  if (stem < 0) return noMatch;
  if (memory === undefined) return matchNumber(part, stem, buffersFor);
  memory.matches[stem] ??= matchNumber(part, stem, buffersFor);
  return memory.matches[stem];
}

function matchNumber(part: Part, stem: number, buffersFor: BuffersFor): TermMatch {
  const { segment } = part;
  const lists = stemRows(part, stem);
  const isAsBuilt = part.dead === undefined && !part.fieldOf.includes(-1);
  if (isAsBuilt) return { lists, docCount: segment.stemDocs[stem]! };
  let docCount = part.stemDocs.get(stem);
  if (docCount === undefined) {
    docCount = countDocs(part, lists, buffersFor);
    part.stemDocs.set(stem, docCount);
  }
  return { lists, docCount };
}

/** Documents that have the term and pass the filters. */
export function countMatches(
  part: Part,
  match: TermMatch,
  filters: readonly FacetFilter[],
  allowed: Bits | undefined,
  buffersFor: BuffersFor,
): number {
  if (filters.length === 0 || allowed === undefined || match.docCount === 0) return match.docCount;
  const known = match.setCounts?.get(filters);
  if (known !== undefined) return known;
  const count = countDocs(part, match.lists, buffersFor, allowed);
  if (part.cache !== undefined) {
    match.setCounts ??= new WeakMap();
    match.setCounts.set(filters, count);
  }
  return count;
}

/** Without dead documents, which are never among the allowed ones. */
function countDocs(
  { segment, dead }: Part,
  lists: readonly FieldRows[],
  buffersFor: BuffersFor,
  allowed?: Bits,
): number {
  const { groups: seen, touched } = buffersFor(segment.docCount);
  let count = 0;
  for (const { rows, from, to } of lists) {
    for (let i = from; i < to; i += 1) {
      const doc = rows[i]! >>> 8;
      const isLeftOut = allowed !== undefined ? !hasBit(allowed, doc) : dead !== undefined && hasBit(dead, doc);
      if (isLeftOut || seen[doc] === 1) continue;
      seen[doc] = 1;
      touched[count] = doc;
      count += 1;
    }
  }
  for (let i = 0; i < count; i += 1) seen[touched[i]!] = 0;
  return count;
}

function stemRows({ segment, fieldOf }: Part, stem: number): readonly FieldRows[] {
  const found: FieldRows[] = [];
  for (let list = segment.stemLists[stem]!; list < segment.stemLists[stem + 1]!; list += 1) {
    const field = fieldOf[segment.listFields[list]!]!;
    if (field < 0) continue;
    found.push({ field, rows: segment.rows, from: segment.listRows[list]!, to: segment.listRows[list + 1]! });
  }
  return found.length > 1 ? found.sort((a, b) => a.field - b.field) : found;
}

/** Combines the rows of several words. */
function choiceRows(part: Part, choices: readonly Choice[], buffersFor: BuffersFor): readonly FieldRows[] {
  const [only] = choices;
  if (only === undefined) return [];
  if (choices.length === 1 && only.forms === undefined) return stemRows(part, only.stem);
  const { segment, fieldOf } = part;
  const { counts } = buffersFor(segment.docCount);
  const found: FieldRows[] = [];
  for (let own = 0; own < segment.fields.length; own += 1) {
    const field = fieldOf[own]!;
    if (field < 0) continue;
    for (const choice of choices) countOccurrences(segment, choice, own, counts);
    const rows = takeRows(counts, segment.docCount);
    if (rows.length > 0) found.push({ field, rows, from: 0, to: rows.length });
  }
  return found.sort((a, b) => a.field - b.field);
}

function countOccurrences(segment: Segment, { stem, forms }: Choice, field: number, counts: Uint32Array): void {
  for (let list = segment.stemLists[stem]!; list < segment.stemLists[stem + 1]!; list += 1) {
    if (segment.listFields[list] !== field) continue;
    if (forms === undefined) {
      for (let i = segment.listRows[list]!; i < segment.listRows[list + 1]!; i += 1) {
        counts[segment.rows[i]! >>> 8]! += segment.rows[i]! & countMax;
      }
      continue;
    }
    for (const cursor = new ListCursor(segment, stem, list); cursor.advance(); ) {
      for (let left = cursor.count; left > 0; left -= 1) {
        cursor.step();
        if (forms[cursor.form] === 1) counts[cursor.doc]! += 1;
      }
    }
  }
}

/** Turns counts into rows and resets them to zero. */
function takeRows(counts: Uint32Array, docCount: number): Uint32Array {
  const rows = new GrowU32();
  for (let doc = 0; doc < docCount; doc += 1) {
    const count = counts[doc]!;
    if (count === 0) continue;
    rows.push(((doc << 8) | Math.min(count, countMax)) >>> 0);
    counts[doc] = 0;
  }
  return rows.toArray();
}

/** The first of these rows whose document is not before this one. */
function lowerRow(rows: Uint32Array, from: number, to: number, doc: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! >>> 8 < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function hasDoc({ rows, from, to }: FieldRows, doc: number): boolean {
  const row = lowerRow(rows, from, to, doc);
  return row < to && rows[row]! >>> 8 === doc;
}

/** Looks up many documents. Each lookup starts at the last one, because they mostly come in order. */
export class RowFinder {
  readonly field: number;
  private readonly list: FieldRows;
  private at: number;

  constructor(list: FieldRows) {
    this.field = list.field;
    this.list = list;
    this.at = list.from;
  }

  /** How often the term occurs in a document. */
  countIn(doc: number): number {
    const { rows, from, to } = this.list;
    let low = this.at > from && rows[this.at - 1]! >>> 8 >= doc ? from : this.at;
    let high = low;
    for (let step = 1; high < to && rows[high]! >>> 8 < doc; step *= 2) {
      low = high + 1;
      high += step;
    }
    this.at = lowerRow(rows, low, Math.min(high, to), doc);
    const row = this.at < to ? rows[this.at]! : 0;
    return row >>> 8 === doc ? row & countMax : 0;
  }
}

export const countStemDocs = (part: Part, term: string, buffersFor: BuffersFor): number =>
  matchStem(part, term, buffersFor).docCount;
