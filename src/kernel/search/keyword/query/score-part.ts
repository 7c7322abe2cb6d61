import type { Collection } from '../../collection.ts';
import { type Bits, countMax, hasBit } from '../segment/segment.ts';
import type { FacetFilter } from './filter.ts';
import type { DocumentSet, Part } from './part.ts';
import type { SearchBuffers } from './search-buffers.ts';
import { type FieldRows, RowFinder, type TermMatch } from './term-rows.ts';

export interface Statistics {
  readonly docCount: number;
  /** Mean number of words, by field of the collection. */
  readonly meanLengths: readonly number[];
  /** Whether later searches will have the same statistics, because no part ever changes. */
  readonly isLasting: boolean;
}

/** Weighted counts under some statistics: pairs of document and weighted count. */
export interface TermWeights {
  readonly under: Statistics;
  readonly pairs: Float64Array;
}

/** By the identity of both lists. */
const lasting = new WeakMap<readonly Part[], WeakMap<readonly FacetFilter[], Statistics>>();

/**
 * The statistics of the documents that pass the filters: a word that is common in one namespace may be rare in all, and
 * must not become common there because of the others.
 */
export function statisticsOf(
  collection: Collection,
  parts: readonly Part[],
  filters: readonly FacetFilter[],
  allowed: readonly (Bits | undefined)[],
): Statistics {
  const known = lasting.get(parts)?.get(filters);
  if (known !== undefined) return known;
  const isLasting = parts.every(({ cache: memory }) => memory !== undefined);
  const key = filters.length === 0 ? '' : JSON.stringify(filters);
  const sets = parts.map((part, i) => (filters.length === 0 ? liveSet(part) : setOf(part, key, allowed[i])));
  const statistics = { ...takeStatistics(collection, sets), isLasting };
  if (isLasting) {
    const byFilters = lasting.get(parts) ?? new WeakMap<readonly FacetFilter[], Statistics>();
    lasting.set(parts, byFilters.set(filters, statistics));
  }
  return statistics;
}

const liveSet = ({ liveCount: docCount, liveLengths: lengths }: Part): DocumentSet => ({ docCount, lengths });

/** Filtered sets that a part remembers. */
const setsCount = 32;

function setOf(part: Part, key: string, allowed: Bits | undefined): DocumentSet {
  const { sets } = part;
  const set = sets.get(key) ?? (allowed === undefined ? liveSet(part) : countSet(part, allowed));
  sets.delete(key);
  sets.set(key, set);
  const [oldest] = sets.keys();
  if (sets.size > setsCount) sets.delete(oldest!);
  return set;
}

function countSet(part: Part, allowed: Bits): DocumentSet {
  const { segment, fieldOf } = part;
  const lengths = part.liveLengths.map(() => 0);
  let docCount = 0;
  for (let at = 0; at < allowed.length; at += 1) {
    if (allowed[at] === 0) continue;
    const end = Math.min(8 * at + 8, segment.docCount);
    for (let doc = 8 * at; doc < end; doc += 1) {
      if (!hasBit(allowed, doc)) continue;
      docCount += 1;
      for (let own = 0; own < fieldOf.length; own += 1) {
        if (fieldOf[own]! >= 0) lengths[fieldOf[own]!]! += segment.lengths[own]![doc]!;
      }
    }
  }
  return { docCount, lengths };
}

function takeStatistics(collection: Collection, sets: readonly DocumentSet[]): Omit<Statistics, 'isLasting'> {
  const docCount = sets.reduce((sum, set) => sum + set.docCount, 0);
  const meanLengths = collection.fields.map((_, field) => {
    const sum = sets.reduce((all, { lengths }) => all + lengths[field]!, 0);
    // A field can be without a counted word (`to-do` is a compound of stop words): avoid a division by 0.
    return sum === 0 ? 1 : sum / docCount;
  });
  return { docCount, meanLengths };
}

export const inverseFrequency = (docCount: number, found: number): number =>
  Math.log(1 + (docCount - found + 0.5) / (found + 0.5));

/**
 * BM25F: the counts are weighted by field and divided by the relative length up to a limit, and the sum saturates. All loops do the
 * same arithmetic in the same order, so that a score does not depend on the segment of the document.
 */
export class PartScorer {
  private readonly part: Part;
  private readonly collection: Collection;
  private readonly statistics: Statistics;
  private readonly buffers: SearchBuffers;
  /** Others get no score, except from cached weights. Undefined: all documents. */
  private readonly allowed: Bits | undefined;
  /** Whether the weights can be cached for the next search. */
  private readonly isRemembered: boolean;
  /** Documents with a score, at the beginning of `buffers.touched`. */
  touchedCount = 0;

  constructor(
    part: Part,
    collection: Collection,
    statistics: Statistics,
    buffers: SearchBuffers,
    allowed: Bits | undefined,
  ) {
    this.part = part;
    this.collection = collection;
    this.statistics = statistics;
    this.buffers = buffers;
    this.allowed = allowed;
    this.isRemembered = part.cache !== undefined && statistics.isLasting;
  }

  /** Adds the score of one term; `gain` is its maximum. */
  add(match: TermMatch, gain: number): void {
    const { lists } = match;
    if (this.isRemembered) {
      if (match.weights?.under !== this.statistics) match.weights = this.weigh(lists);
      this.addWeighed(match.weights, gain);
    } else if (lists.length === 1) this.addList(lists[0]!, gain);
    else if (lists.length > 1) this.addLists(lists, gain);
  }

  /** The same, but only for documents with a score. */
  addToScored({ lists }: TermMatch, gain: number): void {
    const { scores, touched } = this.buffers;
    const { b, k1 } = this.collection;
    const finders = lists.map((list) => new RowFinder(list));
    for (let i = 0; i < this.touchedCount; i += 1) {
      const doc = touched[i]!;
      let frequency = 0;
      for (const finder of finders) {
        const count = finder.countIn(doc);
        if (count === 0) continue;
        const length = Math.min(lengthsOf(this.part, finder.field)[doc]!, this.longestOf(finder.field));
        const share = b / this.statistics.meanLengths[finder.field]!;
        frequency += (this.collection.weights[finder.field]! * count) / (1 - b + share * length);
      }
      if (frequency > 0) scores[doc]! += (gain * frequency) / (k1 + frequency);
    }
  }

  /** Scores documents without a score, below `gain`. */
  addMissing(lists: readonly FieldRows[], gain: number): void {
    const { scores, frequencies, touched, touchedToo } = this.buffers;
    const { k1 } = this.collection;
    const count = this.sumFrequencies(lists, this.allowed);
    for (let i = 0; i < count; i += 1) {
      const doc = touchedToo[i]!;
      const frequency = frequencies[doc]!;
      frequencies[doc] = 0;
      if (scores[doc] !== 0) continue;
      scores[doc] = (gain * frequency) / (k1 + frequency);
      touched[this.touchedCount] = doc;
      this.touchedCount += 1;
    }
  }

  /** Adds to the score of one document, with or without a score. */
  lift(doc: number, by: number): void {
    const { scores, touched } = this.buffers;
    if (scores[doc] === 0) {
      touched[this.touchedCount] = doc;
      this.touchedCount += 1;
    }
    scores[doc]! += by;
  }

  private longestOf(field: number): number {
    return this.collection.relativeLengthMax * this.statistics.meanLengths[field]!;
  }

  private addList({ field, rows, from, to }: FieldRows, gain: number): void {
    const { b } = this.collection;
    const lengths = lengthsOf(this.part, field);
    const weight = this.collection.weights[field]!;
    const share = b / this.statistics.meanLengths[field]!;
    const longest = this.longestOf(field);
    const { allowed } = this;
    for (let i = from; i < to; i += 1) {
      const row = rows[i]!;
      const doc = row >>> 8;
      if (allowed !== undefined && !hasBit(allowed, doc)) continue;
      this.credit(doc, (weight * (row & countMax)) / (1 - b + share * Math.min(lengths[doc]!, longest)), gain);
    }
  }

  private addLists(lists: readonly FieldRows[], gain: number): void {
    const { frequencies, touchedToo } = this.buffers;
    const count = this.sumFrequencies(lists, this.allowed);
    for (let i = 0; i < count; i += 1) {
      const doc = touchedToo[i]!;
      this.credit(doc, frequencies[doc]!, gain);
      frequencies[doc] = 0;
    }
  }

  private weigh(lists: readonly FieldRows[]): TermWeights {
    const { frequencies, touchedToo } = this.buffers;
    const count = this.sumFrequencies(lists, undefined);
    const pairs = new Float64Array(2 * count);
    for (let i = 0; i < count; i += 1) {
      const doc = touchedToo[i]!;
      pairs[2 * i] = doc;
      pairs[2 * i + 1] = frequencies[doc]!;
      frequencies[doc] = 0;
    }
    return { under: this.statistics, pairs };
  }

  private addWeighed({ pairs }: TermWeights, gain: number): void {
    for (let i = 0; i < pairs.length; i += 2) this.credit(pairs[i]!, pairs[i + 1]!, gain);
  }

  private credit(doc: number, frequency: number, gain: number): void {
    const { scores, touched } = this.buffers;
    const score = scores[doc]!;
    if (score === 0) {
      touched[this.touchedCount] = doc;
      this.touchedCount += 1;
    }
    scores[doc] = score + (gain * frequency) / (this.collection.k1 + frequency);
  }

  /** Leaves the documents in `touchedToo` and their weighted counts in `frequencies`. */
  private sumFrequencies(lists: readonly FieldRows[], allowed: Bits | undefined): number {
    const { frequencies, touchedToo } = this.buffers;
    const { b } = this.collection;
    let count = 0;
    for (const { field, rows, from, to } of lists) {
      const lengths = lengthsOf(this.part, field);
      const weight = this.collection.weights[field]!;
      const share = b / this.statistics.meanLengths[field]!;
      const longest = this.longestOf(field);
      for (let i = from; i < to; i += 1) {
        const row = rows[i]!;
        const doc = row >>> 8;
        if (allowed !== undefined && !hasBit(allowed, doc)) continue;
        const frequency = (weight * (row & countMax)) / (1 - b + share * Math.min(lengths[doc]!, longest));
        const known = frequencies[doc]!;
        if (known === 0) {
          touchedToo[count] = doc;
          count += 1;
        }
        frequencies[doc] = known + frequency;
      }
    }
    return count;
  }
}

export const lengthsOf = ({ segment, fieldOf }: Part, field: number): Uint32Array =>
  segment.lengths[fieldOf.indexOf(field)]!;
