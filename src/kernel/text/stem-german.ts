/** Endings of plurals and cases, the longest first. */
const caseEndings = ['ern', 'em', 'en', 'er', 'es', 'e', 'n', 's'] as const;
/** Endings of comparisons and of verbs, which a case ending may follow. */
const formEndings = ['est', 'st', 'en', 'er', 't'] as const;

/** Shorter stems would be equal by chance. */
const stemChars = 4;

function drop(word: string, endings: readonly string[]): string {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= stemChars);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** A light stemmer for German nouns, adjectives and verbs, without accents: `rechnungen` and `rechnung` become equal. */
export const stemGerman = (word: string): string => drop(drop(word, caseEndings), formEndings);
