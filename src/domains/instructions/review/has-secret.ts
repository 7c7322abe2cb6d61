import { defaultFlags } from './criteria.ts';
import { defaultCriteria } from './default-criteria.ts';

/** A password as people write it: `the password of the router is hunter2!`. A word without digits and signs is none. */
const statedPassword =
  /\b(?:password|passwort|kennwort|passphrase|api[ _-]?key|access[ _-]?token)\b[^.\n]{0,40}?\s(?:is|ist|lautet)\s{1,3}["'`]?(?=[^\s"'`]{0,63}[\d!@#$%^&*])[^\s"'`]{6,64}/i;

const secretPatterns: readonly RegExp[] = [
  statedPassword,
  ...defaultCriteria.categories
    .filter(({ id }) => id === 'security')
    .flatMap(({ rules }) => rules)
    .flatMap(({ pattern, flags = defaultFlags }) => (pattern === undefined ? [] : new RegExp(pattern, flags))),
];

/** True if a text contains a password or key. Runs on this thread: the shipped patterns take linear time. */
export const hasSecret = (text: string): boolean => secretPatterns.some((pattern) => pattern.test(text));
