import { findFirst, skipWhile, trait } from './character-traits.ts';

/**
 * Receives one token. `position` counts words; `start` and `end` are its range in the text. `isWhole`: a compound such
 * as `app.use` or `HookContext`, reported in addition to its parts, at the position of the first part.
 */
export type TokenVisitor = (word: string, position: number, start: number, end: number, isWhole: boolean) => void;

/** Of a longer word (a hash, an encoded file) only the beginning is indexed, without parts. */
export const wordCharsMax = 64;

const accents = /[\u0300-\u036f]+/g;
const apostrophes = /['’]/g;
const possessive = /['’]s$/i;

/**
 * Reports the words of a text in order: lower-cased, accents folded, compounds whole and in parts (`user_id`,
 * `first-class`, `app.use`, `HookContext`, `HTTPServer`). Returns the number of positions.
 */
export function scanTokens(text: string, visit: TokenVisitor): number {
  let position = 0;
  let at = 0;
  while (at < text.length) {
    const plainEnd = endOfPlainWord(text, at);
    if (plainEnd > at) {
      visit(text.slice(at, plainEnd), position, at, plainEnd, false);
      position += 1;
      // The next character is not part of a word.
      at = plainEnd + 1;
      continue;
    }
    const start = findFirst(text, at, trait.word);
    at = endOfRun(text, start);
    if (start < text.length) position = scanRun(text.slice(start, at), start, position, visit);
  }
  return position;
}

/**
 * Fast path: most words are lower-case ASCII letters and digits followed by a blank or a sign, and need no folding.
 * Returns `start` if no such word begins here.
 */
function endOfPlainWord(text: string, start: number): number {
  let end = start;
  while (isPlain(text.charCodeAt(end))) end += 1;
  if (end - start > wordCharsMax) return start;
  const behind = text.charCodeAt(end);
  const isEnd = end === text.length || (behind < 128 && !isUpper(behind) && !isJoint(behind) && !isApostrophe(behind));
  return isEnd ? end : start;
}

/** Words joined by one `.` or `-` or by any number of `_`; an apostrophe is part of a word before letters. */
function endOfRun(text: string, start: number): number {
  let end = skipWhile(text, start, trait.word);
  for (;;) {
    const next = text.charCodeAt(end);
    const from = isJoint(next) ? behindJoint(text, end) : end + 1;
    const wanted = isJoint(next) ? trait.word : isApostrophe(next) ? trait.letter : 0;
    if (wanted === 0 || from >= text.length) return end;
    const to = skipWhile(text, from, wanted);
    if (to === from) return end;
    end = to;
  }
}

function behindJoint(text: string, at: number): number {
  let end = at + 1;
  if (text.charCodeAt(at) === underscore) while (text.charCodeAt(end) === underscore) end += 1;
  return end;
}

/** What a range of text has besides lower-case ASCII letters and digits; usually nothing. */
const has = { upper: 1, joint: 2, apostrophe: 4, foreign: 8, unspaced: 16 } as const;

function traitsOf(text: string): number {
  let traits = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (isPlain(code)) continue;
    if (isUpper(code)) traits |= has.upper;
    else if (isApostrophe(code)) traits |= has.apostrophe;
    else if (code < 128) traits |= has.joint;
    // Every script without blanks is above Thai's first letter.
    else traits |= code < 0x0e01 ? has.foreign : has.foreign | has.unspaced;
  }
  return traits;
}

const isPlain = (code: number): boolean => isLower(code) || isDigit(code);
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const underscore = 95;
/** `.`, `-` or `_` */
const isJoint = (code: number): boolean => code === 46 || code === 45 || code === underscore;
const isApostrophe = (code: number): boolean => code === 0x27 || code === 0x2019;

function scanRun(run: string, start: number, position: number, visit: TokenVisitor): number {
  const traits = traitsOf(run);
  if ((traits & has.joint) === 0) return scanPiece(run, traits, start, position, visit);
  if (run.length <= wordCharsMax) tell(run, traits, position, start, true, visit);
  let next = position;
  let from = 0;
  for (let to = 1; to <= run.length; to += 1) {
    if (to < run.length && !isJoint(run.charCodeAt(to))) continue;
    if (to > from) next = scanPiece(run.slice(from, to), traits, start + from, next, visit);
    from = to + 1;
  }
  return next;
}

function scanPiece(piece: string, traits: number, start: number, position: number, visit: TokenVisitor): number {
  if ((traits & has.unspaced) !== 0 && findFirst(piece, 0, trait.unspaced) < piece.length)
    return scanUnspaced(piece, start, position, visit);
  if ((traits & has.upper) !== 0 && piece.length <= wordCharsMax)
    return scanHumps(piece, traits, start, position, visit);
  tell(piece, traits, position, start, false, visit);
  return position + 1;
}

function scanHumps(piece: string, traits: number, start: number, position: number, visit: TokenVisitor): number {
  let next = position;
  let from = 0;
  for (let to = 1; to < piece.length; to += 1) {
    if (!startsHump(piece, to)) continue;
    if (from === 0) tell(piece, traits, position, start, true, visit);
    tell(piece.slice(from, to), traits, next, start + from, false, visit);
    next += 1;
    from = to;
  }
  tell(from === 0 ? piece : piece.slice(from), traits, next, start + from, false, visit);
  return next + 1;
}

/** Whether a new word begins here: `HookContext` at 4, `HTTPServer` at 4, `oauth2Token` at 6. `URLs` is one word. */
function startsHump(piece: string, at: number): boolean {
  if (!isUpper(piece.charCodeAt(at))) return false;
  const before = piece.charCodeAt(at - 1);
  if (isLower(before) || isDigit(before)) return true;
  const isPlural = at + 2 === piece.length && piece[at + 1] === 's';
  return isUpper(before) && isLower(piece.charCodeAt(at + 1)) && !isPlural;
}

/** Words of such scripts are reported as pairs of characters. */
function scanUnspaced(piece: string, start: number, position: number, visit: TokenVisitor): number {
  let next = position;
  let from = 0;
  const tellPlain = (to: number) => {
    if (to === from) return;
    tell(piece.slice(from, to), has.foreign, next, start + from, false, visit);
    next += 1;
  };
  while (from < piece.length) {
    const pairsFrom = findFirst(piece, from, trait.unspaced);
    tellPlain(pairsFrom);
    from = skipWhile(piece, pairsFrom, trait.unspaced);
    if (from > pairsFrom) next = scanPairs(piece.slice(pairsFrom, from), start + pairsFrom, next, visit);
  }
  return next;
}

function scanPairs(text: string, start: number, position: number, visit: TokenVisitor): number {
  const characters = [...text];
  if (characters.length === 1) {
    tell(text, has.foreign, position, start, false, visit);
    return position + 1;
  }
  let at = start;
  for (let i = 0; i + 1 < characters.length; i += 1) {
    tell(`${characters[i]}${characters[i + 1]}`, has.foreign, position + i, at, false, visit);
    at += characters[i]!.length;
  }
  return position + characters.length - 1;
}

function tell(
  raw: string,
  traits: number,
  position: number,
  start: number,
  isWhole: boolean,
  visit: TokenVisitor,
): void {
  const word = toWord(raw, traits);
  if (word !== '') visit(word, position, start, start + raw.length, isWhole);
}

/** The form under which a word is indexed and searched. */
function toWord(raw: string, traits: number): string {
  let word = raw;
  if ((traits & has.apostrophe) !== 0) word = word.replace(possessive, '').replace(apostrophes, '');
  if ((traits & has.foreign) !== 0)
    word = word.normalize('NFKD').replace(accents, '').normalize('NFC').replaceAll('ß', 'ss');
  if ((traits & (has.upper | has.foreign)) !== 0) word = word.toLowerCase();
  return word.length <= wordCharsMax ? word : word.slice(0, wordCharsMax).replace(/[\ud800-\udbff]$/, '');
}
