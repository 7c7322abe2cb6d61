import type { Json } from '#kernel/json/canonical.ts';

/** Takes the place of a name in a text. */
const forgottenText = '[forgotten]';

/** Shorter names would be found everywhere. */
const nameCharsMin = 2;

export interface NameMatcher {
  /** `like` patterns for lower-case text: a first filter that finds at least every text with one of the names. */
  readonly patterns: readonly string[];
  isIn(text: string): boolean;
  /** The text around the first name, for a list. */
  excerpt(text: string): string;
  remove(text: string): string;
  /** The same value with every name removed from its texts, including the keys of objects. */
  removeFrom(value: Json): Json;
}

const excerptChars = 40;

/** Only what is the same in every spelling, in JSON, and in engines that know upper case of ASCII letters only. */
const toPattern = (name: string): string => {
  const parts = name.toLowerCase().split(/[^a-z0-9]/);
  return `%${parts.filter((part) => part !== '').join('%')}%`;
};

/** Words and what is between them, in turn. */
const tokensOf = (text: string): readonly string[] =>
  text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu) ?? [];

const isWord = (token: string): boolean => /^[\p{L}\p{M}\p{N}]/u.test(token);
const isBlank = (token: string): boolean => token.trim() === '';

const isSame = (token: string | undefined, wanted: string): boolean =>
  token !== undefined &&
  (isBlank(wanted) ? isBlank(token) : token === wanted || token.toLowerCase() === wanted.toLowerCase());

/** From the first word to the last one. */
function toName(text: string): readonly string[] {
  const tokens = tokensOf(text);
  return tokens.slice(tokens.findIndex(isWord), tokens.findLastIndex(isWord) + 1);
}

/** Whole words, in any case, with any blanks between them. */
export function createNameMatcher(given: readonly string[]): NameMatcher {
  // The longest first: `Acme Corp` before `Acme`.
  const names = given
    .map(toName)
    .filter((name) => name.join('').length >= nameCharsMin)
    .sort((a, b) => b.length - a.length);

  /** How many tokens a name takes here; 0 if there is none. */
  const lengthAt = (tokens: readonly string[], at: number): number =>
    names.find((name) => name.every((wanted, i) => isSame(tokens[at + i], wanted)))?.length ?? 0;

  const firstIn = (tokens: readonly string[]): number => tokens.findIndex((_, at) => lengthAt(tokens, at) > 0);

  function remove(text: string): string {
    const tokens = tokensOf(text);
    if (firstIn(tokens) === -1) return text;
    const kept: string[] = [];
    for (let at = 0; at < tokens.length; ) {
      const length = lengthAt(tokens, at);
      kept.push(length > 0 ? forgottenText : tokens[at]!);
      at += Math.max(1, length);
    }
    return kept.join('');
  }

  function removeFrom(value: Json): Json {
    if (typeof value === 'string') return remove(value);
    if (Array.isArray(value)) return (value as readonly Json[]).map(removeFrom);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [remove(key), removeFrom(member as Json)]));
  }

  return {
    patterns: [...new Set(names.map((name) => toPattern(name.join(''))))],
    isIn: (text) => firstIn(tokensOf(text)) !== -1,
    excerpt(text) {
      const tokens = tokensOf(text);
      const at = tokens.slice(0, Math.max(0, firstIn(tokens))).join('').length;
      return tokens
        .join('')
        .slice(Math.max(0, at - excerptChars), at + excerptChars * 2)
        .toWellFormed();
    },
    remove,
    removeFrom,
  };
}
