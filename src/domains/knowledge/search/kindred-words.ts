/**
 * Words that developers use for one another. Whoever asks for one also means the others, a little: each counts half.
 */
const groups: readonly (readonly string[])[] = [
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
];

const kindred = new Map<string, readonly string[]>();
for (const group of groups) {
  for (const word of group)
    kindred.set(word, [...(kindred.get(word) ?? []), ...group.filter((other) => other !== word)]);
}

const kinOf = (word: string): readonly string[] =>
  kindred.get(word) ?? (word.endsWith('s') ? (kindred.get(word.slice(0, -1)) ?? []) : []);

const none: readonly string[] = [];

/** The kindred of all words of a query, without those it has itself. A quoted query means what it says. */
export function kindredOf(query: string): readonly string[] {
  if (query.includes('"')) return none;
  const own = query.toLowerCase().split(/[^a-z]+/);
  const found = new Set(own.flatMap(kinOf));
  return found.size === 0 ? none : [...found].filter((word) => !own.includes(word));
}
