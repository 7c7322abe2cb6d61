const isWordChar = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Where the words stand in the text, not as a part of longer ones; -1 when nowhere. Both in lower case. */
export function indexOfWords(text: string, words: string, from = 0): number {
  for (let at = text.indexOf(words, from); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWordChar(text[at - 1]) && (!isWordChar(words.at(-1)) || !isWordChar(text[at + words.length]))) return at;
  }
  return -1;
}

export const hasWords = (text: string, words: string): boolean => indexOfWords(text, words) !== -1;

/** Lower case that keeps every place: a letter whose lower case is longer stays as it is. */
export const lowerCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : Array.from(text, (char) => (char.toLowerCase().length === char.length ? char.toLowerCase() : char)).join('');
};
