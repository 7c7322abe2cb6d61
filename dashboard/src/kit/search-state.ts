import { useNavigate, useSearch } from '@tanstack/react-router';

export type SearchState = Readonly<Record<string, string | undefined>>;

/** The part of the address after `?`: the state that a copied address shares. Undefined removes a value. */
export function useSearchState(): readonly [SearchState, (changes: SearchState, how?: 'push' | 'replace') => void] {
  const search = useSearch({ strict: false }) as SearchState;
  const navigate = useNavigate();
  return [
    search,
    (changes, how = 'push') =>
      void navigate({
        to: '.',
        search: (before: SearchState) =>
          Object.fromEntries(
            Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
          ),
        replace: how === 'replace',
      }),
  ];
}
