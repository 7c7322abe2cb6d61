/** Headings of the help and the reference, in order. */
export const groups = [
  'Data',
  'Tools',
  'Instructions',
  'Knowledge',
  'Notebooks',
  'Search',
  'Integrations',
  'Server',
  'Access',
  'Logs',
] as const;
export type Group = (typeof groups)[number];

interface SettingText {
  readonly group: Group;
  readonly about: string;
  /** The part of the program that uses it. */
  readonly part:
    | 'storage'
    | 'tools'
    | 'mcp'
    | 'http'
    | 'log'
    | 'config'
    | 'instructions'
    | 'knowledge'
    | 'notebooks'
    | 'search'
    | 'integrations'
    | 'files';
  /** Further flags, besides the one made from the name. */
  readonly flags?: readonly string[];
  /** Further variables, besides `FOURFOLD_…`: the names in the source documents. */
  readonly env?: readonly string[];
  /** What happens when it is unset and has no fixed default. */
  readonly unsetMeans?: string;
}

export type Setting = SettingText &
  (
    | { readonly kind: 'boolean'; readonly fallback?: boolean }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly fallback?: number }
    | {
        readonly kind: 'duration';
        readonly minMs: number;
        readonly maxMs: number;
        readonly fallback?: number;
        /** A bare number means seconds in the other variables, as in the programs they come from. */
        readonly envInSeconds?: true;
      }
    | { readonly kind: 'bytes'; readonly min: number; readonly max: number; readonly fallback?: number }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly fallback?: string }
    | { readonly kind: 'text'; readonly startsWith?: string; readonly secret?: boolean; readonly fallback?: string }
    | { readonly kind: 'url'; readonly schemes: readonly string[]; readonly secret?: boolean }
    /** `inHome`: the default is this name inside the data folder. */
    | { readonly kind: 'path'; readonly inHome?: string }
    | {
        readonly kind: 'list';
        readonly items: 'text' | 'path';
        /** Folders are split at the platform's path delimiter, names at commas. */
        readonly splitAt: 'comma' | 'delimiter';
        readonly fallback?: readonly string[];
      }
  );

export type Value = boolean | number | string | readonly string[];

type Bare<S> = S extends { kind: 'boolean' }
  ? boolean
  : S extends { kind: 'integer' | 'duration' | 'bytes' }
    ? number
    : S extends { kind: 'choice'; choices: readonly (infer C)[] }
      ? C
      : S extends { kind: 'list' }
        ? readonly string[]
        : string;

/** The type of a setting's value: never undefined if it has a default. */
export type ValueOf<S> = S extends { fallback: unknown } | { inHome: string } ? Bare<S> : Bare<S> | undefined;
