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

const none: readonly string[] = [];

// A plural has the kindred of its singular.
for (const [word, others] of [...kindred]) if (!kindred.has(`${word}s`)) kindred.set(`${word}s`, others);

export const kindredOf = (word: string): readonly string[] => kindred.get(word) ?? none;
