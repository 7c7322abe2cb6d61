import type { Facets } from '../../collection.ts';
import type { FacetFilter } from '../../keyword/query/filter.ts';

const valuesOf = (facets: Facets, key: string): readonly string[] => {
  const values = facets[key];
  return values === undefined ? [] : typeof values === 'string' ? [values] : values;
};

/** The same conditions as in the keyword index. */
export const matchesFacets = (facets: Facets, filters: readonly FacetFilter[]): boolean =>
  filters.every(({ key, any, all = [], none = [] }) => {
    const values = valuesOf(facets, key);
    return (
      (any === undefined || any.some((value) => values.includes(value))) &&
      all.every((value) => values.includes(value)) &&
      !none.some((value) => values.includes(value))
    );
  });

/** The stored form: equal facets have equal texts, so that documents can share them in memory. */
export const encodeFacets = (facets: Facets | undefined): string =>
  JSON.stringify(Object.entries(facets ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const decodeFacets = (text: string): Facets =>
  Object.fromEntries(JSON.parse(text) as readonly (readonly [string, string | readonly string[]])[]);
