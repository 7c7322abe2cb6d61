import { foldWord, isPersonType, isSameFolded, type NameWords, wordsOfName } from './fold-name.ts';

export interface NameMatch {
  readonly kind: 'folded' | 'near';
  /** In words, for people and agents. */
  readonly reason: string;
  /** 0 if folded. */
  readonly distance: number;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Substitutions, insertions, deletions and swapped neighbours; stops above `max`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let twoAgo: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isEqual = a[i - 1] === b[j - 1];
      let least = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (isEqual ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, twoAgo[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > max) return max + 1;
    [twoAgo, before] = [before, row];
  }
  return Math.min(before[b.length]!, max + 1);
}

/** Shorter words are too often different words. */
const nearCharsMin = 5;
/** From here on two edits are allowed: Schneider and Schreiber are two names. */
const twoEditsCharsMin = 11;
/** Below it a replaced letter makes another word more often than a misspelled one: Linde and Linda, Metro and Retro. */
const replacedCharsMin = 7;

/** Other scripts have shorter words, in which one letter makes a difference. */
export const canBeNear = (word: string, charsMin = nearCharsMin): boolean =>
  word.length >= charsMin && /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word);

/** How a word sounds in most European languages: its first letter and its consonants. */
export function soundOf(word: string): string {
  const letters = foldWord(word)
    .replace(/ph/g, 'f')
    .replace(/(?:sch|sh|ch)/g, 'x')
    .replace(/(?:ck|q|c(?![eiy]))/g, 'k')
    .replace(/[cz]/g, 's')
    .replace(/(?:dt|th|d)/g, 't')
    .replace(/w/g, 'v')
    .replace(/j/g, 'y');
  const first = letters.slice(0, 1);
  const rest = letters.slice(1).replace(/[aeiouyh]/g, '');
  return (/[aeiouy]/.test(first) ? `a${rest}` : first + rest).replace(/(.)\1+/g, '$1');
}

/** Of folded words. The number of edits, or undefined if they are different words. */
function nearness(a: string, b: string, charsMin = nearCharsMin): number | undefined {
  if (!canBeNear(a, charsMin) || !canBeNear(b, charsMin)) return undefined;
  const soundsAlike = soundOf(a) === soundOf(b);
  const length = Math.min(a.length, b.length);
  const max = soundsAlike || length >= twoEditsCharsMin ? 2 : 1;
  const distance = editDistance(a, b, max);
  if (distance > max || soundOf(a)[0] !== soundOf(b)[0]) return undefined;
  // Niger and Nigeria
  if (length < twoEditsCharsMin && Math.abs(a.length - b.length) > 1) return undefined;
  const isReplaced = a.length === b.length && [...a].sort().join('') !== [...b].sort().join('');
  const isSameEnd = a.at(-1) === b.at(-1) || /^(?:iy|yi)$/.test(a.slice(-1) + b.slice(-1));
  if (length < replacedCharsMin && isReplaced && !(soundsAlike && isSameEnd)) return undefined;
  return distance;
}

const shortNearCharsMin = 4;

/** Of folded words, one of which names nothing: then a shorter word may be near, too. */
export const isNearWord = (unknown: string, known: string): boolean =>
  unknown !== known && nearness(unknown, known, shortNearCharsMin) !== undefined;

const digitsOf = (words: readonly string[]): string => words.flatMap((word) => word.match(/\p{N}+/gu) ?? []).join(' ');

const areSameFolded = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length
    ? a.every((word, i) => isSameFolded(word, b[i]!))
    : // Open AI and OpenAI
      isSameFolded(a.join(''), b.join(''));

const sorted = (words: readonly string[]): readonly string[] =>
  words.toSorted((a, b) => byText(foldWord(a), foldWord(b)) || byText(a, b));

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const accents = 'accents';

function foldedReason(a: NameWords, b: NameWords, isReordered: boolean): string {
  const [one, other] = isReordered ? [sorted(a.words), sorted(b.words)] : [a.words, b.words];
  const parts: string[] = [];
  if (one.join('') !== other.join('')) {
    const hasAccents = [...one, ...other].some((word) => /[^\p{ASCII}]/u.test(word));
    parts.push(hasAccents ? accents : 'ae, oe and ue for ä, ö and ü');
  }
  if (a.conjunctions !== b.conjunctions) parts.push('“&” or “and”');
  if (a.suffix !== b.suffix) parts.push('the company form');
  if (isReordered || a.isTurned !== b.isTurned) parts.push('word order');
  else if (a.punctuation !== b.punctuation || one.length !== other.length) parts.push('punctuation and spaces');
  if (parts.length === 0) return 'same name';
  return parts.join() === accents ? 'same name without accents' : `same name apart from ${listed(parts)}`;
}

/** Takes the equal words away from both lists. */
function withoutEqual(a: readonly string[], b: readonly string[]): readonly [readonly string[], readonly string[]] {
  const rest = [...b];
  const left = a.filter((word) => {
    const at = rest.findIndex((other) => isSameFolded(word, other));
    if (at === -1) return true;
    rest.splice(at, 1);
    return false;
  });
  return [left, rest];
}

/** More misspelled words in one name are more likely another name. */
const nearWordsCount = 2;

function compareNear(type: string, a: readonly string[], b: readonly string[]): NameMatch | undefined {
  if (a.length !== b.length) return undefined;
  const [left, right] = withoutEqual(a, b);
  if (left.length === 0 || left.length > nearWordsCount) return undefined;
  // Only the surname may differ: Anna and Anne are two people, and so are Daniel and Daniela.
  if (isPersonType(type)) {
    if (a.length < 2 || left.length > 1 || left[0] !== a.at(-1) || right[0] !== b.at(-1)) return undefined;
  }
  let distance = 0;
  const pairs: string[] = [];
  for (const [i, word] of left.entries()) {
    const other = right[i]!;
    const [one, two] = [foldWord(word), foldWord(other)];
    const edits = nearness(one, two);
    if (edits === undefined || (left.length > 1 && soundOf(one) !== soundOf(two))) return undefined;
    distance += edits;
    pairs.push([word, other].sort().join(' and '));
  }
  return { kind: 'near', reason: `similar spelling: ${pairs.join(', ')}`, distance };
}

/** [TR61] Undefined if the names are not alike. Numbers in them must be equal. */
export function compareNames(type: string, a: string, b: string): NameMatch | undefined {
  const one = wordsOfName(type, a);
  const other = wordsOfName(type, b);
  if (one.words.length === 0 || other.words.length === 0) return undefined;
  if (digitsOf(one.words) !== digitsOf(other.words)) return undefined;
  const folded = (isReordered: boolean): NameMatch => ({
    kind: 'folded',
    reason: foldedReason(one, other, isReordered),
    distance: 0,
  });
  if (areSameFolded(one.words, other.words)) return folded(false);
  if (one.words.length === other.words.length && areSameFolded(sorted(one.words), sorted(other.words)))
    return folded(true);
  return compareNear(type, one.words, other.words);
}
