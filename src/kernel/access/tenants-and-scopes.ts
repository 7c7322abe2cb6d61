import type { Scope } from '../call.ts';
import { accessLimits } from './access-limits.ts';

/** A tenant names folders and rows: letters, digits, dot, dash and underscore, and never a path. */
export const isTenantText = (text: string): boolean =>
  text.length <= accessLimits.tenantChars && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);

/** Weakest first; also the order in which a key's scopes are written. */
export const allScopes: readonly Scope[] = ['read', 'write', 'admin'];

/** The scopes among `words`, each once, in order. Unknown words belong to other programs. */
export const toScopes = (words: Iterable<string>): readonly Scope[] => {
  const named = new Set(words);
  return allScopes.filter((scope) => named.has(scope));
};
