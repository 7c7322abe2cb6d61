import { scanTokens } from '../../../text/tokens.ts';
import { germanKey, maybeGerman } from '../../german-words.ts';
import { searchLimits } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import { isStopWord } from '../../stop-words.ts';

export type QueryTermKind = 'word' | 'prefix' | 'phrase';

export interface QueryTerm {
  readonly kind: QueryTermKind;
  /** As shown in an explanation. */
  readonly text: string;
  /** The stem of a word, or the letters of a prefix. */
  readonly key: string;
  /** A further key of a word: its stem in another language. */
  readonly alsoKey?: string;
  /** The words of a phrase as written, with their distance from the first. */
  readonly slots: readonly Slot[];
  /** A word of the query itself: neither a compound of such words nor a guess. */
  readonly isWord: boolean;
  /** Of a guess: the keys of the words that it can replace. */
  readonly replaces?: readonly string[];
  /** How often it occurs in the query; half for a guess, more for a phrase. */
  readonly weight: number;
  /** 0: optional. Otherwise a document needs at least one term of each group. */
  readonly group: number;
}

export interface Slot {
  readonly word: string;
  readonly offset: number;
}

export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  readonly groupCount: number;
  /** The whole query, compared with ids. */
  readonly literal: string;
  /** The words of a query, parts of compounds only; empty if it has a star, or quotes around a part of it. */
  readonly words: readonly Slot[];
  readonly leftOutCount: number;
}

export interface ParseOptions {
  /** Whether all words are required, or any. */
  readonly match: 'any' | 'all';
  /** Treats the last word as unfinished. */
  readonly lastWordIsPrefix: boolean;
  /** Additional words for a word of the query: each weighs half and none is required. */
  readonly guessesFor?: ((word: string) => readonly string[]) | undefined;
  /** How much a word or a guess counts relative to others. Default: 1. */
  readonly weightOf?: ((word: string) => number) | undefined;
}

const noSlots: readonly Slot[] = [];
const sameWeight = () => 1;

/** Relative to a word of the query itself. */
const guessWeight = 0.5;

/** Who quotes words wants them together: this outweighs the same words apart. */
const phraseWeight = 2;

/** `hook context`, `creat*`, `"words that belong together"`. An unpaired quote counts as a blank. */
export function parseQuery(text: string, options: ParseOptions, stemOf: StemOf): ParsedQuery {
  const draft = new Draft(stemOf, options, maybeGerman(text.slice(0, searchLimits.queryChars)));
  const pieces = piecesOf(text.slice(0, searchLimits.queryChars));
  const isPaired = pieces.length % 2 === 1;
  const isOnePhrase = pieces.length === 3 && pieces[0]!.trim() === '' && pieces[2]!.trim() === '';
  pieces.forEach((piece, i) => {
    const isQuoted = i % 2 === 1 && (isPaired || i < pieces.length - 1);
    if (isQuoted) draft.addPhrase(piece, isOnePhrase);
    else draft.addWords(piece, options.lastWordIsPrefix && i === pieces.length - 1);
  });
  if (options.guessesFor !== undefined) draft.addGuesses(options.guessesFor);
  if (text.length > searchLimits.queryChars) draft.leaveOut();
  return draft.finish(text.slice(0, searchLimits.queryChars).trim());
}

/** Alternates between text outside and inside quotes. */
const piecesOf = (text: string): readonly string[] =>
  /["“”„]/.test(text) ? text.replaceAll(/[“”„]/g, '"').split('"') : [text];

interface Token extends Slot {
  readonly isWhole: boolean;
  readonly hasStar: boolean;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  scanTokens(text, (word, offset, _start, end, isWhole) => {
    if (!isStopWord(word)) tokens.push({ word, offset, isWhole, hasStar: text[end] === '*' });
  });
  return tokens;
}

class Draft {
  private readonly terms: QueryTerm[] = [];
  private readonly words: Slot[] = [];
  private readonly stemOf: StemOf;
  private readonly isEveryWordNeeded: boolean;
  private readonly maybeGerman: boolean;
  private readonly weightOf: (word: string) => number;
  private groupCount = 0;
  private leftOutCount = 0;
  private isPlain = true;

  constructor(stemOf: StemOf, { match, weightOf = sameWeight }: ParseOptions, isMaybeGerman: boolean) {
    this.stemOf = stemOf;
    this.maybeGerman = isMaybeGerman;
    this.isEveryWordNeeded = match === 'all';
    this.weightOf = weightOf;
  }

  leaveOut(): void {
    this.leftOutCount += 1;
  }

  /** A document with the phrase ranks higher; without one, the words of the phrase find what has them. */
  addPhrase(text: string, isWholeQuery: boolean): void {
    const plain = text.replaceAll('*', ' ');
    const parts = tokensOf(plain).filter((token) => !token.isWhole);
    const [first] = parts;
    // Quotes around a whole title must not keep it from being found as a title.
    if (!isWholeQuery) this.isPlain = false;
    if (first === undefined) return;
    const slots = parts.map(({ word, offset }) => ({ word, offset: offset - first.offset }));
    const shown = `"${parts.map(({ word }) => word).join(' ')}"`;
    this.add({ kind: 'phrase', text: shown, key: shown, slots, isWord: false, weight: phraseWeight, group: 0 });
    this.addWords(plain, false);
  }

  addWords(text: string, lastIsPrefix: boolean): void {
    const tokens = tokensOf(text);
    const last = tokens.findLast((token) => !token.isWhole);
    for (const token of tokens) {
      const { word, offset, isWhole } = token;
      if (token.hasStar) this.isPlain = false;
      if (!isWhole) this.words.push({ word, offset });
      // A document with the compound has its parts, so only the parts can be required.
      const group = this.isEveryWordNeeded && !isWhole ? this.groupCount + 1 : 0;
      if (token.hasStar && word.length >= searchLimits.prefixChars) this.addPrefix(word, group, 1);
      else this.addWord(word, this.stemOf(word), !isWhole, this.weightOf(word), group);
      if (lastIsPrefix && token === last && !token.hasStar && word.length >= searchLimits.prefixChars) {
        const own = this.terms[this.find('word', this.stemOf(word))];
        this.addPrefix(word, own?.group ?? group, 0.5);
      }
    }
  }

  addGuesses(guessesFor: (word: string) => readonly string[]): void {
    for (const { word } of this.words) {
      for (const guess of guessesFor(word)) {
        const term = this.stemOf(guess);
        const at = this.find('word', term);
        const replaced = this.stemOf(word);
        const known = this.terms[at];
        if (known?.replaces !== undefined) this.terms[at] = { ...known, replaces: [...known.replaces, replaced] };
        if (known !== undefined || this.terms.length >= searchLimits.queryTermsCount) continue;
        this.addWord(guess, term, false, guessWeight * this.weightOf(guess), 0, [replaced]);
      }
    }
  }

  private addPrefix(word: string, group: number, weight: number): void {
    this.add({ kind: 'prefix', text: `${word}*`, key: word, slots: noSlots, isWord: false, weight, group });
  }

  private addWord(
    text: string,
    term: string,
    isWord: boolean,
    weight: number,
    group: number,
    replaces?: readonly string[],
  ): void {
    const also = this.maybeGerman ? { alsoKey: germanKey(text) } : {};
    const guess = replaces === undefined ? {} : { replaces };
    this.add({ kind: 'word', text, key: term, ...also, ...guess, slots: noSlots, isWord, weight, group });
  }

  /** A query has few terms: comparing them is cheaper than a map. */
  private find(kind: QueryTermKind, term: string): number {
    const { terms } = this;
    for (let i = 0; i < terms.length; i += 1) if (terms[i]!.key === term && terms[i]!.kind === kind) return i;
    return -1;
  }

  private add(term: QueryTerm): void {
    const { terms } = this;
    const at = this.find(term.kind, term.key);
    const known = terms[at];
    if (known !== undefined) {
      terms[at] = {
        ...known,
        isWord: known.isWord || term.isWord,
        weight: known.weight + term.weight,
        group: known.group || term.group,
      };
      if (known.group === 0) this.groupCount = Math.max(this.groupCount, term.group);
    } else if (terms.length >= searchLimits.queryTermsCount) this.leaveOut();
    else {
      terms.push(term);
      this.groupCount = Math.max(this.groupCount, term.group);
    }
  }

  finish(literal: string): ParsedQuery {
    return {
      terms: this.terms,
      groupCount: this.groupCount,
      literal,
      words: this.isPlain ? this.words : [],
      leftOutCount: this.leftOutCount,
    };
  }
}
