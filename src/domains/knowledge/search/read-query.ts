import { type ParsedQuery, parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { kindredOf } from './kindred-words.ts';
import { withSignedWords } from './signed-names.ts';

const guessing = { match: 'any', lastWordIsPrefix: false, guessesFor: kindredOf } as const;
/** A quoted query means what it says. */
const literal = { match: 'any', lastWordIsPrefix: false } as const;

/** A question as it is looked for: its words, names with a sign, and for half the words that mean the same. */
export const readQuery = (query: string, stemOf: StemOf): ParsedQuery =>
  parseQuery(withSignedWords(query), query.includes('"') ? literal : guessing, stemOf);
