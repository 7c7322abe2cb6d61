import type { FacetFilter } from '#kernel/search/query/filter.ts';
import { libraryEdition } from './collection.ts';
import type { DocQuery } from './doc-query.ts';

export interface AskedLibrary {
  readonly library: string;
  readonly version: string | undefined;
}

/** `react@19.2.0`, `@scope/name`: the name of a package may begin with `@`. */
export function splitLibrary(text: string): AskedLibrary {
  const name = text.trim();
  const at = name.indexOf('@', 1);
  return at === -1
    ? { library: name, version: undefined }
    : { library: name.slice(0, at), version: name.slice(at + 1) };
}

/** What is of one version of the base is also what is of both. */
const versionsFor = (version: string): readonly string[] =>
  version === 'v4' || version === 'v5' ? [version, 'both'] : [version];

/** What may be found [KN3] [KN4]. */
export function toFilters({ version, library }: Pick<DocQuery, 'version' | 'library'>): readonly FacetFilter[] {
  const filters: FacetFilter[] = [];
  const asked = library === undefined || library.trim() === '' ? undefined : splitLibrary(library);
  if (asked !== undefined) filters.push({ key: 'library', any: [asked.library] });
  if (asked?.version !== undefined) filters.push({ key: 'version', any: versionsFor(asked.version) });
  if (version === 'v4' || version === 'v5') filters.push({ key: 'version', any: versionsFor(version) });
  // Of the base the newest unless another is asked for; of libraries every one.
  if (version === undefined && asked?.version === undefined) {
    filters.push({ key: 'edition', any: [...versionsFor('v5'), libraryEdition] });
  }
  return filters;
}
