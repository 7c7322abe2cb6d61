import type { Call } from '#kernel/call.ts';
import { baseLibrary } from '../base/base-sections.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { formatLibraryVersion, parseLibraryVersion } from '../libraries/library-version.ts';
import type { DocQuery, SearchOutcome } from './doc-query.ts';
import type { LibrarySections } from './library-sections.ts';
import { isSigilWord } from './read-query.ts';

export interface HintDeps {
  readonly runSearch: (query: DocQuery, call: Call) => Promise<SearchOutcome>;
  readonly libraries: LibrarySections;
}

function toList(names: readonly string[]): string {
  const { hintNamesCount } = knowledgeLimits;
  const more = names.length - hintNamesCount;
  return names.slice(0, hintNamesCount).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** [KN6] Suggests another library, version or word if nothing was found. */
export function createHints({ runSearch, libraries }: HintDeps) {
  async function unknownLibrary(asked: string, call: Call): Promise<string | undefined> {
    const { library, version } = parseLibraryVersion(asked);
    const names = await libraries.names(call);
    const versions = names.filter((name) => name.library === library);
    if (library === baseLibrary && version === undefined) return undefined;
    if (versions.length === 0 && library !== baseLibrary) {
      return `No library is named "${library}"; available: ${toList([baseLibrary, ...names.map(formatLibraryVersion)])}.`;
    }
    if (version === undefined || versions.some((name) => name.version === version)) return undefined;
    const known = [
      ...versions.map(formatLibraryVersion),
      ...(library === baseLibrary ? ['feathers@v5', 'feathers@v4'] : []),
    ];
    return known.includes(`${library}@${version}`) ? undefined : `Available versions: ${toList(known)}.`;
  }

  /** Searches for the same words without filters. */
  async function elsewhere(query: DocQuery, call: Call): Promise<string | undefined> {
    const { query: text } = query;
    const { answer: anyVersion } = await runSearch({ ...query, version: 'all', limit: 1 }, call);
    if (query.version !== 'all' && query.version !== 'both' && anyVersion.total > 0)
      return 'Other versions have it: search with version "all".';
    if (query.library === undefined) return undefined;
    const { answer: anywhere } = await runSearch({ query: text, version: 'all', limit: 1 }, call);
    return anywhere.total > 0 ? 'Other libraries have it: search without library and with version "all".' : undefined;
  }

  return async (query: DocQuery, { answer: { hints }, parsed }: SearchOutcome, call: Call): Promise<string> => {
    if (parsed.terms.length === 0)
      return 'Use words that describe what you look for: "around hooks", app.use, HookContext.';
    const advice =
      (query.library === undefined ? undefined : await unknownLibrary(query.library, call)) ??
      (await elsewhere(query, call));
    if (advice !== undefined) return `Nothing was found. ${advice}`;
    const near = hints.filter((word) => !isSigilWord(word));
    const words = near.length === 0 ? 'Try other or fewer words.' : `Similar words: ${near.join(', ')}.`;
    return `Nothing was found. ${words}`;
  };
}
