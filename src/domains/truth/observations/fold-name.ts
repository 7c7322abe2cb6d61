import { companyType, isCompanySuffix, keySeparator } from './entity-name.ts';

/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't', ё: 'е' },
};
/** How German and Nordic names are written without their special letters. */
const writtenOut: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const replaceLetters = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/[^\p{ASCII}]/gu, (letter) => (Object.hasOwn(letters, letter) ? letters[letter]! : letter));

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** Müller → muller. In other scripts a mark can be a letter of its own, so it stays. */
export function stripAccents(word: string): string {
  if (isAscii(word)) return word;
  const bare = word
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFC');
  return replaceLetters(bare, plainLetters);
}

/** Müller → mueller. */
const writeOutAccents = (word: string): string =>
  isAscii(word) ? word : stripAccents(replaceLetters(word.normalize('NFC'), writtenOut));

/**
 * The same for Müller, Mueller and Muller: muller. After another vowel and after q, `ue` is not an umlaut (Bauer, Marquez).
 */
export const foldWord = (word: string): string =>
  stripAccents(word)
    .replace(/a[ae]+/g, 'a')
    .replace(/oe+/g, 'o')
    .replace(/(?<![aeiouq])ue+/g, 'u');

/** Jo and Joe, Jol and Joel are different names. */
const looseCharsMin = 5;

/** Same letters, with or without accents, written out or not. */
export function isSameFolded(a: string, b: string): boolean {
  if (stripAccents(a) === stripAccents(b) || writeOutAccents(a) === writeOutAccents(b)) return true;
  return Math.max(a.length, b.length) >= looseCharsMin && foldWord(a) === foldWord(b);
}

const personTypes: ReadonlySet<string> = new Set(['person', 'contact', 'employee', 'user', 'author']);
export const isPersonType = (type: string): boolean => personTypes.has(type);

/** Only for comparisons: the ids of companies depend on the shorter list in entity-name.ts. */
const moreSuffixes: ReadonlySet<string> = new Set([
  ...['kg', 'ug', 'ohg', 'kgaa', 'mbh', 'ev', 'eg', 'se', 'nv', 'oy', 'oyj', 'ab', 'as', 'asa', 'aps', 'sarl', 'sas'],
  ...['spa', 'sl', 'slu', 'lda', 'ltda', 'kft', 'doo', 'sro', 'pty', 'pvt', 'pte', 'llp', 'lp', 'kk'],
]);
const isSuffix = (word: string): boolean => isCompanySuffix(word) || moreSuffixes.has(word.replace(/[.,]/g, ''));

const conjunction = '&';
const conjunctions: ReadonlySet<string> = new Set([conjunction, '+', 'and', 'und', 'et', 'y']);

export interface NameWords {
  /** Lower-case, with accents, without punctuation, company form and article; every conjunction is `&`. */
  readonly words: readonly string[];
  /** The parts that are left out or replaced, to say how two names differ. */
  readonly suffix: string;
  readonly conjunctions: string;
  readonly punctuation: string;
  /** The surname was written first. */
  readonly isTurned: boolean;
}

/** `Jonson, Peter` → `peter jonson`. */
function turnPerson(text: string): string {
  const parts = text.split(',');
  return parts.length === 2 && parts.every((part) => part.trim() !== '') ? `${parts[1]} ${parts[0]}` : text;
}

/** The last words that say what kind of company it is, but never the whole name. */
function countSuffixes(words: readonly string[]): number {
  let count = 0;
  while (count < words.length - 1) {
    const word = words[words.length - 1 - count]!;
    if (!isSuffix(word) && !(count > 0 && conjunctions.has(word))) break;
    count += 1;
  }
  return count;
}

export function wordsOfName(type: string, name: string): NameWords {
  const text = name.normalize('NFKC').toLowerCase().normalize('NFC').replaceAll(keySeparator, ' ');
  const turned = isPersonType(type) ? turnPerson(text) : text;
  const given = turned
    .replaceAll('&', ' & ')
    .split(/[\s,]+/u)
    .filter((word) => conjunctions.has(word) || /[\p{L}\p{M}\p{N}]/u.test(word));
  const suffixesCount = type === companyType ? countSuffixes(given) : 0;
  const kept = given.slice(0, given.length - suffixesCount);
  if (type === companyType && kept.length > 1 && kept[0] === 'the') kept.shift();
  const joins: string[] = [];
  const words = kept.flatMap((word, place) => {
    if (conjunctions.has(word) && place > 0 && place < kept.length - 1) {
      joins.push(word);
      return [conjunction];
    }
    return word
      .replace(/['’`´]/gu, '')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((part) => part !== '');
  });
  return {
    words,
    suffix: given.slice(given.length - suffixesCount).join(' '),
    conjunctions: joins.join(' '),
    punctuation: kept.join(' ').replace(/[\p{L}\p{M}\p{N}&+]+/gu, ''),
    isTurned: turned !== text,
  };
}
