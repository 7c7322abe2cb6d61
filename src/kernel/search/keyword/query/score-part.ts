import type { Collection } from '../../collection.ts';
import { countMax } from '../segment/segment.ts';
import type { Part } from './part.ts';
import type { SearchBuffers } from './search-buffers.ts';
import { countIn, type FieldRows, type TermMatch } from './term-rows.ts';

export interface Statistics {
  readonly docCount: number;
  /** Mean number of words, by field of the collection. */
  readonly meanLengths: readonly number[];
  /** Whether later searches will have the same statistics, because no part ever changes. */
  readonly isLasting: boolean;
}

/** Pairs of document and weighted count. */
export type TermWeights = Float64Array;

/** By the identity of the list. */
const lasting = new WeakMap<readonly Part[], Statistics>();

export function statisticsOf(collection: Collection, parts: readonly Part[]): Statistics {
  const known = lasting.get(parts);
  if (known !== undefined) return known;
  const isLasting = parts.every(({ cache: memory }) => memory !== undefined);
  const statistics = { ...takeStatistics(collection, parts), isLasting };
  if (isLasting) lasting.set(parts, statistics);
  return statistics;
}

function takeStatistics(collection: Collection, parts: readonly Part[]): Omit<Statistics, 'isLasting'> {
  const docCount = parts.reduce((sum, part) => sum + part.liveCount, 0);
  const meanLengths = collection.fields.map((_, field) => {
    const sum = parts.reduce((all, part) => all + part.liveLengths[field]!, 0);
    // A field can be without a counted word (`to-do` is a compound of stop words): avoid a division by 0.
    return sum === 0 ? 1 : sum / docCount;
  });
  return { docCount, meanLengths };
}

export const inverseFrequency = (docCount: number, found: number): number =>
  Math.log(1 + (docCount - found + 0.5) / (found + 0.5));

/**
 * BM25F: the counts are weighted by field and divided by the relative length, and the sum saturates. All loops do the
 * same arithmetic in the same order, so that a score does not depend on the segment of the document.
 */
export class PartScorer {
  private readonly part: Part;
  private readonly collection: Collection;
  private readonly statistics: Statistics;
  private readonly buffers: SearchBuffers;
  /** Whether the weights can be cached for the next search. */
  private readonly isRemembered: boolean;
  /** Documents with a score, at the beginning of `buffers.touched`. */
  touchedCount = 0;

  constructor(part: Part, collection: Collection, statistics: Statistics, buffers: SearchBuffers) {
    this.part = part;
    this.collection = collection;
    this.statistics = statistics;
    this.buffers = buffers;
    this.isRemembered = part.cache?.isWeighedUnder(statistics) ?? false;
  }

  /** Adds the score of one term; `gain` is its maximum. */
  add(match: TermMatch, gain: number): void {
    const { lists } = match;
    if (this.isRemembered) {
      match.weights ??= this.weigh(lists);
      this.addWeighed(match.weights, gain);
    } else if (lists.length === 1) this.addList(lists[0]!, gain);
    else if (lists.length > 1) this.addLists(lists, gain);
  }

  /** The same, but only for documents with a score. */
  addToScored({ lists }: TermMatch, gain: number): void {
    const { scores, touched } = this.buffers;
    const { b, k1 } = this.collection;
    for (let i = 0; i < this.touchedCount; i += 1) {
      const doc = touched[i]!;
      let frequency = 0;
      for (const list of lists) {
        const count = countIn(list, doc);
        if (count === 0) continue;
        const length = lengthsOf(this.part, list.field)[doc]!;
        const share = b / this.statistics.meanLengths[list.field]!;
        frequency += (this.collection.weights[list.field]! * count) / (1 - b + share * length);
      }
      if (frequency > 0) scores[doc]! += (gain * frequency) / (k1 + frequency);
    }
  }

  /** Scores documents without a score, below `gain`. */
  addMissing(lists: readonly FieldRows[], gain: number): void {
    const { scores, frequencies, touched, touchedToo } = this.buffers;
    const { k1 } = this.collection;
    const count = this.sumFrequencies(lists);
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

  private addList({ field, rows, from, to }: FieldRows, gain: number): void {
    const { b } = this.collection;
    const lengths = lengthsOf(this.part, field);
    const weight = this.collection.weights[field]!;
    const share = b / this.statistics.meanLengths[field]!;
    for (let i = from; i < to; i += 1) {
      const row = rows[i]!;
      const doc = row >>> 8;
      this.credit(doc, (weight * (row & countMax)) / (1 - b + share * lengths[doc]!), gain);
    }
  }

  private addLists(lists: readonly FieldRows[], gain: number): void {
    const { frequencies, touchedToo } = this.buffers;
    const count = this.sumFrequencies(lists);
    for (let i = 0; i < count; i += 1) {
      const doc = touchedToo[i]!;
      this.credit(doc, frequencies[doc]!, gain);
      frequencies[doc] = 0;
    }
  }

  private weigh(lists: readonly FieldRows[]): TermWeights {
    const { frequencies, touchedToo } = this.buffers;
    const count = this.sumFrequencies(lists);
    const weighed = new Float64Array(2 * count);
    for (let i = 0; i < count; i += 1) {
      const doc = touchedToo[i]!;
      weighed[2 * i] = doc;
      weighed[2 * i + 1] = frequencies[doc]!;
      frequencies[doc] = 0;
    }
    return weighed;
  }

  private addWeighed(weighed: TermWeights, gain: number): void {
    for (let i = 0; i < weighed.length; i += 2) this.credit(weighed[i]!, weighed[i + 1]!, gain);
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
  private sumFrequencies(lists: readonly FieldRows[]): number {
    const { frequencies, touchedToo } = this.buffers;
    const { b } = this.collection;
    let count = 0;
    for (const { field, rows, from, to } of lists) {
      const lengths = lengthsOf(this.part, field);
      const weight = this.collection.weights[field]!;
      const share = b / this.statistics.meanLengths[field]!;
      for (let i = from; i < to; i += 1) {
        const row = rows[i]!;
        const doc = row >>> 8;
        const frequency = (weight * (row & countMax)) / (1 - b + share * lengths[doc]!);
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
