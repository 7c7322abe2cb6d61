import { scanTokens } from '../../../text/tokens.ts';
import { type SearchDocument, textOf } from '../../collection.ts';
import { germanKey, isGerman } from '../../german-words.ts';
import type { StemOf } from '../../stemmer.ts';
import { isStopWord } from '../../stop-words.ts';
import { compareByBytes, toKey } from './dictionary.ts';
import { GrowU32 } from './grow.ts';
import { RowCollector } from './list-rows.ts';
import type { Resting } from './run-in-slices.ts';
import { facetKey, type Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

const none = 0xffff_ffff;

interface Word {
  readonly text: string;
  readonly stem: number;
  readonly form: number;
}

interface Stem {
  readonly text: string;
  readonly words: string[];
}

/** All occurrences of all words in text order, as numbers, chained by stem. */
class TokenLog {
  private readonly stemOf: StemOf;
  private readonly wordNumbers = new Map<string, number>();
  private readonly stemNumbers = new Map<string, number>();
  readonly words: Word[] = [];
  readonly stems: Stem[] = [];
  private readonly firsts = new GrowU32();
  private readonly lasts = new GrowU32();
  private readonly wordOf = new GrowU32();
  private readonly docOf = new GrowU32();
  private readonly fieldOf = new GrowU32();
  private readonly positionOf = new GrowU32();
  private readonly nextOf = new GrowU32();

  constructor(stemOf: StemOf) {
    this.stemOf = stemOf;
  }

  add(text: string, doc: number, field: number, position: number): void {
    const word = this.wordNumbers.get(text) ?? this.addWord(text);
    const { stem } = this.words[word]!;
    const token = this.wordOf.length;
    this.wordOf.push(word);
    this.docOf.push(doc);
    this.fieldOf.push(field);
    this.positionOf.push(position);
    this.nextOf.push(none);
    const last = this.lasts.items[stem]!;
    if (last === none) this.firsts.items[stem] = token;
    else this.nextOf.items[last] = token;
    this.lasts.items[stem] = token;
  }

  private addWord(text: string): number {
    const stemText = this.stemOf(text);
    let stem = this.stemNumbers.get(stemText);
    if (stem === undefined) {
      stem = this.stems.push({ text: stemText, words: [] }) - 1;
      this.stemNumbers.set(stemText, stem);
      this.firsts.push(none);
      this.lasts.push(none);
    }
    const form = this.stems[stem]!.words.push(text) - 1;
    const word = this.words.push({ text, stem, form }) - 1;
    this.wordNumbers.set(text, word);
    return word;
  }

  /** Distributes the occurrences of a stem over the lists of its fields. */
  collect(stem: number, lists: readonly RowCollector[]): void {
    for (const list of lists) list.clear();
    for (let token = this.firsts.items[stem]!; token !== none; token = this.nextOf.items[token]!) {
      const list = lists[this.fieldOf.items[token]!]!;
      const doc = this.docOf.items[token]!;
      if (list.lastDoc !== doc) list.addDoc(doc);
      list.addOccurrence(this.positionOf.items[token]!, this.words[this.wordOf.items[token]!]!.form);
    }
  }
}

/** Indexes documents with different ids. Yields often, so that the caller can share the event loop. */
export function* buildSegment(
  fields: readonly string[],
  documents: readonly SearchDocument[],
  stemOf: StemOf,
): Generator<void, Segment> {
  const writer = new SegmentWriter(fields);
  const log = new TokenLog(stemOf);
  const facets = new Map<string, number[]>();
  const ordered = documents.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const [doc, document] of ordered.entries()) {
    const lengths = fields.map((field, i) => readField(log, doc, i, textOf(document, field)));
    writer.addDocument(document.id, lengths);
    readFacets(facets, doc, document);
    yield;
  }
  yield* writeStems(writer, log, fields.length);
  const values = Array.from(facets, ([text, docs]) => ({ text, docs }));
  for (const value of yield* inByteOrder(values)) {
    const { text, docs } = values[value]!;
    writer.addFacet(toKey(text), docs, docs.length);
    yield;
  }
  return writer.finish();
}

/** Returns how many words count for the length of the text. */
function readField(log: TokenLog, doc: number, field: number, text: string): number {
  let length = 0;
  const german = isGerman(text);
  scanTokens(text, (word, position, _start, _end, isWhole) => {
    if (isStopWord(word)) return;
    // A compound is an additional way to find its parts; it does not make the text longer.
    if (!isWhole) length += 1;
    log.add(word, doc, field, position);
    if (german && !isWhole) log.add(germanKey(word), doc, field, position);
  });
  return length;
}

function readFacets(facets: Map<string, number[]>, doc: number, document: SearchDocument): void {
  for (const [key, values] of Object.entries(document.facets ?? {})) {
    for (const value of new Set(typeof values === 'string' ? [values] : values)) {
      const facet = facetKey(key, value);
      const docs = facets.get(facet);
      if (docs === undefined) facets.set(facet, [doc]);
      else docs.push(doc);
    }
  }
}

function* writeStems(writer: SegmentWriter, log: TokenLog, fieldCount: number): Generator<void> {
  const lists = Array.from({ length: fieldCount }, () => new RowCollector());
  const written = new Uint32Array(log.stems.length);
  for (const stem of yield* inByteOrder(log.stems)) {
    const { text, words } = log.stems[stem]!;
    log.collect(stem, lists);
    const sorted = words.length === 1 ? words : words.toSorted(compareByBytes);
    const formOf = sorted === words ? [0] : words.map((word) => sorted.indexOf(word));
    written[stem] = writer.addStem(toKey(text), sorted.length, formOf, lists);
    yield;
  }
  for (const word of yield* inByteOrder(log.words)) {
    const { text, stem } = log.words[word]!;
    writer.addWord(toKey(text), written[stem]!);
    yield;
  }
}

/** Sorted without an interruption; longer lists are merged from such runs. */
const sortedRunCount = 4_096;

/** The numbers of the items, ordered by their texts. A segment may have half a million. */
export function* inByteOrder(items: readonly { readonly text: string }[]): Resting<Uint32Array> {
  const compare = (a: number, b: number): number => compareByBytes(items[a]!.text, items[b]!.text);
  const { length } = items;
  let sorted = Uint32Array.from(items, (_, i) => i);
  for (let from = 0; from < length; from += sortedRunCount) {
    sorted.subarray(from, from + sortedRunCount).sort(compare);
    yield;
  }
  for (let width = sortedRunCount; width < length; width *= 2) {
    const merged = new Uint32Array(length);
    for (let from = 0; from < length; from += 2 * width) {
      const middle = Math.min(from + width, length);
      const end = Math.min(middle + width, length);
      let left = from;
      let right = middle;
      for (let at = from; at < end; at += 1) {
        const isLeft = left < middle && (right >= end || compare(sorted[left]!, sorted[right]!) <= 0);
        merged[at] = sorted[isLeft ? left : right]!;
        if (isLeft) left += 1;
        else right += 1;
        if (at % sortedRunCount === 0) yield;
      }
    }
    sorted = merged;
  }
  return sorted;
}
