import type { Facets } from '../../collection.ts';
import type { FacetFilter } from '../../keyword/query/filter.ts';

const hasValue = (values: Facets[string] | undefined, value: string): boolean =>
  typeof values === 'string' ? values === value : values?.includes(value) === true;

/** The same conditions as in the keyword index. A filter checks every document, so nothing is allocated here. */
export const matchesFacets = (facets: Facets, filters: readonly FacetFilter[]): boolean =>
  filters.every(({ key, any, all, none }) => {
    const values = facets[key];
    return (
      any?.some((value) => hasValue(values, value)) !== false &&
      all?.every((value) => hasValue(values, value)) !== false &&
      none?.some((value) => hasValue(values, value)) !== true
    );
  });

/** The stored form: equal facets have equal texts, so that documents can share them in memory. */
export const encodeFacets = (facets: Facets | undefined): string =>
  JSON.stringify(Object.entries(facets ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const decodeFacets = (text: string): Facets =>
  Object.fromEntries(JSON.parse(text) as readonly (readonly [string, string | readonly string[]])[]);
