import { type ParsedQuery, parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';

const synonymGroups: readonly (readonly string[])[] = [
  ['login', 'signin', 'authenticate', 'authentication'],
  ['signup', 'register'],
  ['delete', 'remove', 'destroy'],
  ['bulk', 'batch', 'multi', 'several', 'many'],
  ['notify', 'event', 'publish'],
  ['encrypt', 'hash'],
  ['shutdown', 'teardown', 'stop'],
  ['docker', 'dockerfile', 'container'],
  ['env', 'environment'],
  ['config', 'configuration', 'settings'],
  ['own', 'owner'],
  ['count', 'number', 'total'],
  ['refresh', 'reload'],
  ['websocket', 'socket', 'realtime'],
  ['sql', 'knex'],
  ['db', 'database'],
  ['permission', 'authorize', 'restrict', 'role'],
  ['folder', 'directory'],
  ['crash', 'error', 'exception'],
  ['slow', 'performance', 'fast'],
  ['endpoint', 'route', 'path'],
  ['typescript', 'types'],
  ['join', 'relation', 'populate'],
  ['sort', 'order'],
  ['validate', 'validation', 'check'],
  ['log', 'logger', 'logging'],
  ['token', 'jwt'],
  ['proxy', 'remote'],
  ['cron', 'schedule', 'job'],
  ['upload', 'file'],
  ['fetch', 'load', 'request'],
  ['test', 'spec', 'mocha'],
  ['upgrade', 'migrate', 'migration'],
  ['convert', 'coerce', 'cast'],
  ['recursive', 'lazy', 'circular'],
  ['hide', 'redact'],
  ['throw', 'exception'],
  ['payload', 'body'],
];

const synonyms = new Map<string, readonly string[]>();
for (const group of synonymGroups) {
  for (const word of group)
    synonyms.set(word, [...(synonyms.get(word) ?? []), ...group.filter((other) => other !== word)]);
}
// A plural has the synonyms of its singular.
for (const [word, others] of [...synonyms]) if (!synonyms.has(`${word}s`)) synonyms.set(`${word}s`, others);

/** Several words that docs write as one name: all of them must be in the query. */
const phraseGroups: readonly (readonly [phrase: string, names: string])[] = [
  ['json web token', 'jwt'],
  ['server sent events', 'sse streamSSE'],
  ['cross origin', 'cors'],
  ['another origin', 'cors'],
  ['cross site request', 'csrf'],
  ['load balancer', 'proxy forwarded'],
  ['reverse proxy', 'forwarded'],
  ['client address', 'ip'],
  ['ip address', 'ip remoteAddress'],
  ['page found', 'notFound 404'],
  ['no route', 'notFound 404'],
  ['status code', 'status'],
  ['unknown keys', 'strict'],
  ['unknown fields', 'strict'],
  ['extra properties', 'strict'],
  ['single page', 'spa'],
  ['primary key', 'id'],
  ['environment variable', 'env'],
  ['date time', 'datetime'],
  ['time zone', 'timezone'],
  ['regular expression', 'regex'],
  ['several types', 'union'],
  ['kind field', 'discriminated discriminator'],
  ['default value', 'default'],
  ['without throwing', 'safe'],
  ['rate limit', 'throttle'],
  ['life cycle', 'lifecycle'],
  ['file upload', 'multipart'],
  ['web socket', 'websocket'],
  ['body size', 'bodyLimit'],
];

const phrases = phraseGroups.map(([phrase, names]) => ({
  words: phrase.split(' '),
  names: names.split(' '),
  // As they are indexed.
  keys: names.toLowerCase().split(' '),
}));

const noSynonyms: readonly string[] = [];

function phrasesIn(query: string) {
  const words = new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return phrases.filter((phrase) => phrase.words.every((word) => words.has(word)));
}

/** The query as it is embedded: with the names that docs use for its phrases, because the model does not know them. */
export const toEmbeddedQuery = (query: string): string =>
  [query, ...phrasesIn(query).flatMap(({ names }) => names)].join(' ');

/** They say that something is asked, not what. */
const weakWords: ReadonlySet<string> = new Set(
  `best correctly example examples explain help needs please possible properly something someone thing things want wants
   way ways`.split(/\s+/),
);
const question =
  /^\W*(?:how (?:do|does|can|could|should|would|to)(?: (?:i|we|you|one))?|(?:can|could|should|may) (?:i|we|you|one)|what is the (?:best )?way to|is (?:it|there)(?: possible| a way)? to) (\w+)/i;
/** Directly behind `how do I`, they say little about what is done. */
const weakVerbs: ReadonlySet<string> = new Set(
  `add build call change check create do enable find get give handle have implement let make put read run set show turn use
   write`.split(/\s+/),
);
const weakWeight = 0.5;
/** The names of a phrase stand for all its words. */
const phraseNameWeight = 2;

/** Each synonym counts half as much as a word of the query. */
function withSynonyms(query: string) {
  const found = phrasesIn(query);
  const [, verb = ''] = question.exec(query) ?? [];
  const weakVerb = weakVerbs.has(verb.toLowerCase()) ? verb.toLowerCase() : undefined;
  return {
    match: 'any',
    lastWordIsPrefix: false,
    guessesFor(word: string): readonly string[] {
      const own = synonyms.get(word) ?? noSynonyms;
      if (found.length === 0) return own;
      return [...own, ...found.flatMap((phrase) => (phrase.words.includes(word) ? phrase.keys : []))];
    },
    weightOf(word: string): number {
      if (word === weakVerb || weakWords.has(word)) return weakWeight;
      return found.some(({ keys }) => keys.includes(word)) ? phraseNameWeight : 1;
    },
  } as const;
}
const exactWords = { match: 'any', lastWordIsPrefix: false } as const;

/** Names such as `$or` and `_find`: as plain words they would be the stop word `or` and the common word `find`. */
const sigilNames = /(?<![\w$.])([$_])([A-Za-z]\w*)/g;
const sigilPrefixes: Readonly<Record<string, string>> = { $: 'xdollarx', _: 'xlowx' };

/** The extra terms under which such names are indexed: `xdollarxor` for `$or`. */
export const sigilWordsOf = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(sigilNames), ([name]) => sigilPrefixes[name[0]!]! + name.slice(1).toLowerCase())),
];

export function addSigilWords(query: string): string {
  if ((!query.includes('$') && !query.includes('_')) || query.includes('"')) return query;
  return [query, ...sigilWordsOf(query)].join(' ');
}

/** Such words are internal: hints must not show them. */
export const isSigilWord = (word: string): boolean =>
  Object.values(sigilPrefixes).some((prefix) => word.startsWith(prefix));

/** Synonyms are not added to a query with quotes. */
export const readQuery = (query: string, stemOf: StemOf): ParsedQuery =>
  parseQuery(addSigilWords(query), query.includes('"') ? exactWords : withSynonyms(query), stemOf);
