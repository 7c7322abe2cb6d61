/**
 * The Porter stemmer (1980), with its author's two later rules (`bli`, `logi`). Lower-case a–z only; other words are
 * kept.
 */
export function stem(word: string): string {
  if (word.length < 3 || !isPlainWord(word)) return word;
  let w = dropPlural(word);
  w = dropPastAndProgressive(w);
  if (w.endsWith('y') && hasVowel(w, w.length - 1)) w = `${w.slice(0, -1)}i`;
  w = replaceSuffix(w, doubleSuffixes, 0);
  w = replaceSuffix(w, longSuffixes, 0);
  w = dropSuffix(w);
  return dropFinal(w);
}

/** Joins the inflections of a word, but not its derivations: `production` is not `product`. Porter's first step. */
export function stemInflection(word: string): string {
  if (word.length < 3 || !isPlainWord(word)) return word;
  const w = dropPastAndProgressive(dropPlural(word));
  return dropFinal(w.endsWith('y') && hasVowel(w, w.length - 1) ? `${w.slice(0, -1)}i` : w);
}

function isPlainWord(word: string): boolean {
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

function isConsonant(word: string, at: number): boolean {
  switch (word.charCodeAt(at)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
      return false;
    case 121: // y follows a consonant as a vowel, a vowel as a consonant
      return at === 0 || !isConsonant(word, at - 1);
    default:
      return true;
  }
}

/** Porter's m: how often a vowel run is followed by a consonant run in the first `length` letters. */
function measure(word: string, length: number): number {
  let count = 0;
  let afterVowel = false;
  for (let i = 0; i < length; i += 1) {
    const consonant = isConsonant(word, i);
    if (consonant && afterVowel) count += 1;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(word: string, length: number): boolean {
  for (let i = 0; i < length; i += 1) if (!isConsonant(word, i)) return true;
  return false;
}

const endsDoubled = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);

/** Porter's *o: consonant, vowel, consonant other than w, x, y in the last three of `length` letters. */
function endsShort(word: string, length: number): boolean {
  if (length < 3 || !isConsonant(word, length - 1) || isConsonant(word, length - 2)) return false;
  return isConsonant(word, length - 3) && !'wxy'.includes(word.charAt(length - 1));
}

function dropPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('ss') ? word : word.slice(0, -1);
}

function dropPastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (cut === 0 || !hasVowel(word, word.length - cut)) return word;
  const rest = word.slice(0, -cut);
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`;
  if (endsDoubled(rest) && !'lsz'.includes(rest.charAt(rest.length - 1))) return rest.slice(0, -1);
  return measure(rest, rest.length) === 1 && endsShort(rest, rest.length) ? `${rest}e` : rest;
}

type Replacement = readonly [suffix: string, by: string];

/** Within a table a longer suffix comes before its own endings: the longest match decides, even if it then fails. */
const doubleSuffixes: readonly Replacement[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const longSuffixes: readonly Replacement[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

function replaceSuffix(word: string, table: readonly Replacement[], above: number): string {
  for (const [suffix, by] of table) {
    if (!word.endsWith(suffix)) continue;
    const length = word.length - suffix.length;
    return measure(word, length) > above ? word.slice(0, length) + by : word;
  }
  return word;
}

const residues: readonly Replacement[] = [
  'ance',
  'ence',
  'able',
  'ible',
  'ement',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
  'ou',
].map((suffix) => [suffix, ''] as const);

function dropSuffix(word: string): string {
  if (word.endsWith('ion') && !word.endsWith('sion') && !word.endsWith('tion')) return word;
  return replaceSuffix(word, residues, 1);
}

function dropFinal(word: string): string {
  let w = word;
  if (w.endsWith('e')) {
    const length = w.length - 1;
    const m = measure(w, length);
    if (m > 1 || (m === 1 && !endsShort(w, length))) w = w.slice(0, -1);
  }
  return w.endsWith('ll') && measure(w, w.length) > 1 ? w.slice(0, -1) : w;
}
