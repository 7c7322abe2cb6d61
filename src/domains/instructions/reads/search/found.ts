import type { InstructionEntry } from '../../model.ts';
import type { EntryHighlight } from '../../rules/highlight.ts';

export const searchModes = ['keyword', 'regex', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** Behind which hit the next page begins: by its key where hits have a score, else by how many came before. */
export type Place = { readonly score: number; readonly id: string } | { readonly at: number };

export interface FindQuery {
  readonly q: string;
  readonly limit: number;
  readonly highlight: boolean;
  readonly after: Place | undefined;
}

export interface FoundEntry {
  readonly entry: InstructionEntry;
  readonly highlights: readonly EntryHighlight[];
  /** Where a page goes on that ends with this one. */
  readonly place: Place;
}

export interface Found {
  readonly hash: string;
  readonly count: number;
  readonly hits: readonly FoundEntry[];
  readonly hasMore: boolean;
  readonly hints: readonly string[];
}
