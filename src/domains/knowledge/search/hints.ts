import type { Call } from '#kernel/call.ts';
import { baseLibrary } from '../base/passage.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Ask, Asked } from './asked.ts';
import type { DocQuery } from './doc-query.ts';
import { splitLibrary } from './filters.ts';
import type { LibraryName, LibrarySections } from './library-sections.ts';
import { isSignedWord } from './signed-names.ts';

export interface HintDeps {
  readonly ask: Ask;
  readonly libraries: LibrarySections;
}

const nameOf = ({ library, version }: LibraryName): string => `${library}@${version}`;

/** A few of many. */
function toList(names: readonly string[]): string {
  const { hintNamesCount } = knowledgeLimits;
  const more = names.length - hintNamesCount;
  return names.slice(0, hintNamesCount).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What to try when nothing was found [KN6]: whether it is the library, the version or the words. */
export function createHints({ ask, libraries }: HintDeps) {
  async function unknownLibrary(asked: string, call: Call): Promise<string | undefined> {
    const { library, version } = splitLibrary(asked);
    const names = await libraries.names(call);
    const versions = names.filter((name) => name.library === library);
    if (library === baseLibrary && version === undefined) return undefined;
    if (versions.length === 0 && library !== baseLibrary) {
      return `No library is called "${library}"; there are: ${toList([baseLibrary, ...names.map(nameOf)])}.`;
    }
    if (version === undefined || versions.some((name) => name.version === version)) return undefined;
    const known = [...versions.map(nameOf), ...(library === baseLibrary ? ['feathers@v5', 'feathers@v4'] : [])];
    return known.includes(`${library}@${version}`) ? undefined : `Of ${library} there are: ${toList(known)}.`;
  }

  /** What the same words find when nothing is filtered out. */
  async function elsewhere(query: DocQuery, call: Call): Promise<string | undefined> {
    const { query: text } = query;
    const { answer: anyVersion } = await ask({ ...query, version: 'all', limit: 1 }, call);
    if (query.version !== 'all' && query.version !== 'both' && anyVersion.total > 0)
      return 'Other versions have it: ask with version "all".';
    if (query.library === undefined) return undefined;
    const { answer: anywhere } = await ask({ query: text, version: 'all', limit: 1 }, call);
    return anywhere.total > 0 ? 'Other libraries have it: ask without library and with version "all".' : undefined;
  }

  return async (query: DocQuery, { answer: { hints }, parsed }: Asked, call: Call): Promise<string> => {
    if (parsed.terms.length === 0) return 'Ask with words of what you look for: "around hooks", app.use, HookContext.';
    const told =
      (query.library === undefined ? undefined : await unknownLibrary(query.library, call)) ??
      (await elsewhere(query, call));
    if (told !== undefined) return `Nothing was found. ${told}`;
    const near = hints.filter((word) => !isSignedWord(word));
    const words = near.length === 0 ? 'Try other or fewer words.' : `Words that are there: ${near.join(', ')}.`;
    return `Nothing was found. ${words}`;
  };
}
