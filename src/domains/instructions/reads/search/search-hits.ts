import type { Highlight } from '#kernel/search/keyword/query/highlight.ts';
import { Marks } from '#kernel/search/keyword/query/marks.ts';
import { cutSnippet } from '#kernel/search/keyword/query/snippet.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { InstructionEntry } from '../../entry-model.ts';

/** Ranges are [start, end) in the snippet, in UTF-16 units. */
export interface EntryHighlight {
  readonly id: string;
  readonly field: string;
  readonly snippet: string;
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** The index uses a shorter name for the summary. */
const fieldNames: Readonly<Record<string, string>> = { summary: 'semanticSummary' };

/** A derived summary repeats the body, so it is dropped when the body matches. */
export function toEntryHighlights(id: string, highlights: readonly Highlight[]): readonly EntryHighlight[] {
  const isInBody = highlights.some(({ field }) => field === 'body');
  return highlights
    .filter(({ field }) => !(isInBody && field === 'summary'))
    .map(({ field, snippet, ranges }) => ({ id, field: fieldNames[field] ?? field, snippet, ranges }));
}

/** Cuts a snippet around the matches. Ignores empty matches such as `$`. */
export function highlightRanges(
  id: string,
  field: string,
  text: string,
  found: readonly { readonly start: number; readonly end: number }[],
): EntryHighlight | undefined {
  const marks = new Marks();
  for (const { start, end } of found) if (end > start) marks.add(start, end, 0);
  if (marks.count === 0) return undefined;
  return { id, field, ...cutSnippet(text, marks, searchLimits.snippetChars) };
}

export const searchModes = ['keyword', 'regex', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** The names that the other search tools use. */
const modeAliases = { words: 'keyword', meaning: 'semantic' } as const;
export const requestedModes = [...searchModes, 'words', 'meaning'] as const;
export type RequestedMode = (typeof requestedModes)[number];

export const toSearchMode = (mode: RequestedMode): SearchMode =>
  mode === 'words' || mode === 'meaning' ? modeAliases[mode] : mode;

export interface RegexPosition {
  readonly isInTitle: boolean;
  readonly priority: number;
  readonly id: string;
}

export interface RankedPosition {
  readonly score: number;
  readonly id: string;
}

/** The hit after which the next page begins. */
export type HitPosition = RankedPosition | RegexPosition;

export interface ModeQuery {
  readonly q: string;
  readonly limit: number;
  readonly highlight: boolean;
  readonly after: HitPosition | undefined;
}

export interface EntryHit {
  readonly entry: InstructionEntry;
  readonly highlights: readonly EntryHighlight[];
  readonly position: HitPosition;
  /** From 0 to 1; undefined for a pattern. */
  readonly relevance?: number;
}

export interface SearchHits {
  readonly hash: string;
  readonly count: number;
  readonly hits: readonly EntryHit[];
  readonly hasMore: boolean;
  readonly hints: readonly string[];
  /** The embedder, when its vectors were used. */
  readonly embedder?: string;
}
