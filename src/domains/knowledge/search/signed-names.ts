/** A name that begins with a sign: `$or`, `_find`. As words they would be `or`, which is a stop word, and `find`. */
const signed = /(?<![\w$.])([$_])([A-Za-z]\w*)/g;
const words: Readonly<Record<string, string>> = { $: 'xdollarx', _: 'xlowx' };

/** The word under which such a name is indexed and looked for, beside its bare form: `xdollarxor`. */
const signedWord = (name: string): string => words[name[0]!]! + name.slice(1).toLowerCase();

/** Those that a text holds, each once. */
export const signedWordsOf = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(signed), ([name]) => signedWord(name))),
];

/** A query that also asks for its signed names; a quoted one is left as it is. */
export function withSignedWords(query: string): string {
  if ((!query.includes('$') && !query.includes('_')) || query.includes('"')) return query;
  return [query, ...signedWordsOf(query)].join(' ');
}

/** Nobody is shown such a word. */
export const isSignedWord = (word: string): boolean => Object.values(words).some((sign) => word.startsWith(sign));
