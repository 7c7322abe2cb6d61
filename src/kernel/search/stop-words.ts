/**
 * Words without search value. They are neither indexed nor searched, but keep their position, so that a phrase may
 * contain them. Words with a meaning in code or its docs (`before`, `after`, `all`, `any`, `not`, `use`) are not stop
 * words.
 */
const stopWords: ReadonlySet<string> = new Set(
  `a am an and are as at be been being but by can could did do does doing for from had has have having he her hers him his
   how i if in into is it its itself me my of on or our ours she should so such than that the their theirs them then there
   these they this those to too was we were what when where which who whom why will with would you your yours`.split(
    /\s+/,
  ),
);

const longestChars = Math.max(...Array.from(stopWords, ({ length }) => length));

export const isStopWord = (word: string): boolean => word.length <= longestChars && stopWords.has(word);
