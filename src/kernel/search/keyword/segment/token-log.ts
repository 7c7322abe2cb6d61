import type { StemOf } from '../../stemmer.ts';
import { GrowU32 } from './grow.ts';
import type { RowCollector } from './list-rows.ts';

const none = 0xffff_ffff;

interface Word {
  readonly text: string;
  readonly stem: number;
  readonly form: number;
}

export interface Stem {
  readonly text: string;
  readonly words: string[];
}

/** Every occurrence of every word in the order of the texts, as numbers; each stem's are chained. */
export class TokenLog {
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

  /** Spreads the occurrences of a stem over the lists of its fields. */
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
