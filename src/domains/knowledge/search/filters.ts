import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { libraryEdition } from './collection.ts';
import type { AskedVersion, DocQuery } from './doc-query.ts';

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

const none: readonly FacetFilter[] = [];
/** Of the base the newest unless another is asked for; of libraries every one. */
const newest: readonly FacetFilter[] = [{ key: 'edition', any: [...versionsFor('v5'), libraryEdition] }];
const byVersion: Readonly<Record<AskedVersion, readonly FacetFilter[]>> = {
  v4: [{ key: 'version', any: versionsFor('v4') }],
  v5: [{ key: 'version', any: versionsFor('v5') }],
  both: none,
  all: none,
};

/** What may be found [KN3] [KN4]. Without a library always the very same, by which the search knows it again. */
export function toFilters({ version, library }: Pick<DocQuery, 'version' | 'library'>): readonly FacetFilter[] {
  const wanted = version === undefined ? newest : byVersion[version];
  if (library === undefined || library.trim() === '') return wanted;
  const asked = splitLibrary(library);
  const filters: FacetFilter[] = [{ key: 'library', any: [asked.library] }];
  if (asked.version === undefined) return [...filters, ...wanted];
  filters.push({ key: 'version', any: versionsFor(asked.version) });
  return version === undefined ? filters : [...filters, ...wanted];
}
