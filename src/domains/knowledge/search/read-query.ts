import { type ParsedQuery, parseQuery } from '#kernel/search/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { kindredOf } from './kindred-words.ts';
import { withSignedWords } from './signed-names.ts';

/** A question as it is looked for: its words, names with a sign, and for half the words that mean the same. */
export const readQuery = (query: string, stemOf: StemOf): ParsedQuery =>
  parseQuery(withSignedWords(query), { match: 'any', lastWordIsPrefix: false, guesses: kindredOf(query) }, stemOf);
