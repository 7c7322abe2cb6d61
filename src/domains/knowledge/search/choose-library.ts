import type { Call } from '#kernel/call.ts';
import { baseLibrary } from '../base/base-sections.ts';
import { knowledgeFaults } from '../knowledge-faults.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { formatLibraryVersion, isLibraryName, parseLibraryVersion } from '../libraries/library-version.ts';
import type { ProjectLock } from '../libraries/project-lock.ts';
import { compareVersions, matchVersions } from '../libraries/version-range.ts';
import type { LibraryChoice } from './doc-query.ts';
import { findLibraryName, type Mention } from './find-mentions.ts';
import type { LibrarySections } from './library-sections.ts';

export interface ChooseLibraryDeps {
  readonly libraries: Pick<LibrarySections, 'versions' | 'names' | 'libraryNames'>;
  readonly lock: ProjectLock;
}

const baseVersions = ['v4', 'v5'] as const;

/** The version of the base that a range of Feathers versions means: `v5`, `5.0.30`, `^4.5`. */
function chooseBaseVersion(range: string): string | undefined {
  const exact = baseVersions.find((version) => version === range.trim());
  if (exact !== undefined) return exact;
  // The base describes the last releases of a major version.
  const lastOf = (version: string) => `${version.slice(1)}.999.999`;
  const majors = baseVersions.filter((version) => matchVersions([lastOf(version)], range).length > 0);
  const [, major] = /^[v=^~]?(\d+)(?:\.|$)/.exec(range.trim()) ?? [];
  return majors.at(-1) ?? baseVersions.find((version) => version === `v${major}`);
}

function toList(names: readonly string[]): string {
  const { hintNamesCount } = knowledgeLimits;
  const more = names.length - hintNamesCount;
  return names.slice(0, hintNamesCount).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const fixFor = (library: string): string =>
  `Ingest it first if it is an installed package: knowledge_ingest {"source":"npm:${library}"}. Otherwise use a known name.`;

export type LibraryChooser = ReturnType<typeof createLibraryChoice>;

/** [KN4] Decides which version of a library is meant. Throws UNKNOWN_LIBRARY with the known ones. */
export function createLibraryChoice({ libraries, lock }: ChooseLibraryDeps) {
  /** The version that the project uses, otherwise the newest. */
  async function preferred(library: string, versions: readonly string[]): Promise<string | undefined> {
    const locked = versions.length > 1 ? await lock.versionOf(library) : undefined;
    return locked !== undefined && versions.includes(locked) ? locked : versions.toSorted(compareVersions).at(-1);
  }

  async function unknownLibrary(library: string, call: Call) {
    const names = await libraries.names(call);
    return knowledgeFaults.UNKNOWN_LIBRARY(
      {
        why: `No library is named ${JSON.stringify(library)}`,
        known: toList([baseLibrary, ...names.map(formatLibraryVersion)]),
      },
      isLibraryName(library) ? { fix: fixFor(library) } : {},
    );
  }

  async function choose(asked: string, call: Call): Promise<LibraryChoice> {
    const name = asked.slice(0, knowledgeLimits.libraryRangeChars);
    const { library: given, version: range } = parseLibraryVersion(name);
    const names = await libraries.libraryNames(call);
    const library = names.includes(given) ? given : (findLibraryName(given, names) ?? given);
    const isBase = library === baseLibrary;
    if (isBase && range === undefined) return { library, version: undefined };
    const versions = name === asked ? await libraries.versions(call, library) : [];
    if (versions.length === 0 && !isBase) throw await unknownLibrary(library, call);
    const own = await preferred(library, range === undefined ? versions : matchVersions(versions, range));
    const version = own ?? (isBase && range !== undefined ? chooseBaseVersion(range) : undefined);
    if (version !== undefined) return { library, version };
    const known = [...versions.toSorted(compareVersions).toReversed(), ...(isBase ? baseVersions : [])];
    throw knowledgeFaults.UNKNOWN_LIBRARY({
      why: `${library} has no version that matches ${JSON.stringify(range)}`,
      known: toList(known.map((one) => formatLibraryVersion({ library, version: one }))),
    });
  }

  /** What a query means that names a library and perhaps a version. Undefined if it is not there. */
  async function named({ library, range }: Pick<Mention, 'library' | 'range'>, call: Call) {
    const versions = await libraries.versions(call, library);
    const matching = range === undefined ? [] : matchVersions(versions, range.replace(/^v/, ''));
    const version = await preferred(library, matching.length > 0 ? matching : versions);
    if (library !== baseLibrary) return version === undefined ? undefined : { library, version };
    return { library, version: version ?? (range === undefined ? undefined : chooseBaseVersion(range)) };
  }

  return { choose, preferred, named };
}
