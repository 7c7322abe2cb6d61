import type { InstructionEntry } from '../../entry-model.ts';
import type { EntryHighlight } from '../../rules/highlight.ts';

export const searchModes = ['keyword', 'regex', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** Where a match of a pattern stands among the others. */
export interface PatternPlace {
  readonly isInTitle: boolean;
  readonly priority: number;
  readonly id: string;
}

/** Where a hit stands in a ranking: by score, then by id. */
export interface RankedPlace {
  readonly score: number;
  readonly id: string;
}

/** Behind which hit the next page begins, whatever came before it meanwhile. */
export type Place = RankedPlace | PatternPlace;

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
  /** Whose vectors had a say. */
  readonly embedder?: string;
}
