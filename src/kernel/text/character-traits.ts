export const trait = {
  /** A letter, a digit or a mark. */
  word: 1,
  /** A letter or a mark. */
  letter: 2,
  /** Of a script that is written without blanks. */
  unspaced: 4,
  /** It takes two UTF-16 units. */
  wide: 8,
} as const;

const words = /[\p{L}\p{N}\p{M}]/u;
const letters = /[\p{L}\p{M}]/u;
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const lookUp = (character: string): number =>
  (words.test(character) ? trait.word : 0) |
  (letters.test(character) ? trait.letter : 0) |
  (unspacedScripts.test(character) ? trait.unspaced : 0);

const isKnown = 128;
/** Cached per UTF-16 unit. */
const known = new Uint8Array(0x1_0000);

const isHigh = (code: number): boolean => (code & 0xfc00) === 0xd800;
const isLow = (code: number): boolean => (code & 0xfc00) === 0xdc00;

/**
 * The traits of the character at `at`. For texts of megabytes: a regular expression records each character of a long
 * word, and fails if there are too many.
 */
function traitsAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isHigh(code) && isLow(text.charCodeAt(at + 1))) return lookUp(text.slice(at, at + 2)) | trait.wide;
  let traits = known[code]!;
  if (traits === 0) {
    traits = lookUp(text.charAt(at)) | isKnown;
    known[code] = traits;
  }
  return traits;
}

const widthOf = (traits: number): number => ((traits & trait.wide) === 0 ? 1 : 2);

/** The position after the following characters that have the trait. */
export function skipWhile(text: string, from: number, wanted: number): number {
  let at = from;
  while (at < text.length) {
    const traits = traitsAt(text, at);
    if ((traits & wanted) === 0) return at;
    at += widthOf(traits);
  }
  return at;
}

/** The first position where a character has the trait; otherwise the end of the text. */
export function findFirst(text: string, from: number, wanted: number): number {
  let at = from;
  while (at < text.length) {
    const traits = traitsAt(text, at);
    if ((traits & wanted) !== 0) return at;
    at += widthOf(traits);
  }
  return at;
}
