import type { Scope } from '../call.ts';

/** Weakest first; also the order in which a key's scopes are written. */
export const allScopes: readonly Scope[] = ['read', 'write', 'admin'];

/** The scopes among `words`, each once, in their one order. Words that are none of ours are another program's. */
export const toScopes = (words: Iterable<string>): readonly Scope[] => {
  const named = new Set(words);
  return allScopes.filter((scope) => named.has(scope));
};
