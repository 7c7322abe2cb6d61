import { estimateTokens } from '#kernel/text/estimate-tokens.ts';
import { contextLimits } from '../context-limits.ts';
import { type LoggedItem, type Part, parts } from '../memories.ts';
import { shortenText } from './shorten-text.ts';
import type { RecallAnswer } from './tools/recall.ts';

export type RuleItem = NonNullable<RecallAnswer['rules']>[number];
type FactItem = NonNullable<RecallAnswer['facts']>[number];
type Item = { readonly [P in Part]: NonNullable<RecallAnswer[P]>[number] }[Part];

/** Something that an answer may contain. */
export interface Candidate {
  readonly part: Part;
  /** Its id in its memory. */
  readonly id: string;
  /** Its id in the change log, if that differs. */
  readonly logId?: string;
  /** Covers what an agent reads of it. */
  readonly content: unknown;
  /** Compared between memories. */
  readonly relevance: number;
  readonly item: Item;
  /** The field that may be shortened. */
  readonly textField?: 'body' | 'text';
  /** Is shown in any case, in this form. Its tokens are not part of the budget that is shared out. */
  readonly head?: RuleItem;
  /** General advice that has nothing in common with the task: it is named if that fits, or counted. */
  readonly isOnlyNamed?: boolean;
  /** False for a rule that applies to every task and has nothing in common with this one. */
  readonly isAboutTask?: boolean;
}

/** Counted once: an answer may need several attempts to fit. */
export interface CountedCandidate extends Candidate {
  readonly headTokens: number;
  /** Tokens of the item beyond its head. */
  readonly cost: number;
}

export const toLogged = ({ part, id, logId = id }: Candidate): LoggedItem => ({ part, id: logId });

/** With the comma behind it. */
export const tokensOf = (value: unknown): number => estimateTokens(`${JSON.stringify(value)},`);

export function countTokens(candidate: Candidate): CountedCandidate {
  const headTokens = candidate.head === undefined ? 0 : tokensOf(candidate.head);
  return { ...candidate, headTokens, cost: Math.max(0, tokensOf(candidate.item) - headTokens) };
}

/**
 * How many tokens each memory gets: first a minimum for each, so that a memory with many hits does not crowd out the
 * others, then the rest to the most relevant candidates.
 */
function shareOut(candidates: readonly CountedCandidate[], tokens: number): ReadonlyMap<Part, number> {
  const floor = Math.floor(tokens * contextLimits.floorRatio);
  const needed = new Map<Part, number>();
  for (const { part, cost } of candidates) needed.set(part, (needed.get(part) ?? 0) + cost);
  const shares = new Map([...needed].map(([part, sum]) => [part, Math.min(sum, floor)]));
  const floorsLeft = new Map(shares);
  let free = tokens - [...shares.values()].reduce((sum, share) => sum + share, 0);
  for (const { part, cost } of candidates.toSorted((a, b) => b.relevance - a.relevance)) {
    const fromFloor = Math.min(cost, floorsLeft.get(part)!);
    floorsLeft.set(part, floorsLeft.get(part)! - fromFloor);
    const extra = Math.min(cost - fromFloor, free);
    shares.set(part, shares.get(part)! + extra);
    free -= extra;
  }
  return shares;
}

/**
 * A fact with the first of its fields, which match best, then without what surrounds them; undefined if nothing of it
 * fits.
 */
function shortenFields<F extends FactItem>(item: F, tokens: number): F | undefined {
  const fields = Object.entries(item.fields);
  const { relations, upcoming, ...bare } = item;
  const hasMore = relations !== undefined || upcoming !== undefined;
  for (let count = fields.length; count >= 0; count -= 1) {
    const shown = { fields: Object.fromEntries(fields.slice(0, count)), cut: true as const };
    for (const kept of hasMore ? [item, bare] : [bare]) {
      const isWhole = kept === item && count === fields.length;
      const isNothing = count === 0 && kept !== item;
      const shorter = { ...kept, ...shown };
      if (!isWhole && !isNothing && tokensOf(shorter) <= tokens) return shorter as F;
    }
  }
  return undefined;
}

/** The item with the beginning of its text; undefined if too little of it fits. */
function shortenItem({ item, textField }: Candidate, tokens: number): Item | undefined {
  if ('fields' in item) return shortenFields(item, tokens);
  const text = textField && (item as Readonly<Record<string, unknown>>)[textField];
  if (typeof text !== 'string') return undefined;
  const withText = (shown: string) => ({ ...item, [textField!]: shown, cut: true as const });
  for (let left = tokens - tokensOf(withText('')); left >= contextLimits.shortTextTokens; ) {
    const short = withText(shortenText(text, left));
    const excess = tokensOf(short) - tokens;
    if (excess <= 0) return short;
    // JSON writes line ends and quotation marks longer than they are.
    left -= excess;
  }
  return undefined;
}

export interface FittedParts {
  readonly items: Readonly<Partial<Record<Part, readonly Item[]>>>;
  /** Titles of rules that are only named, by id. */
  readonly general: Readonly<Record<string, string>>;
  readonly leftOut: Readonly<Partial<Record<Part, number>>>;
  readonly shown: readonly ShownCandidate[];
  readonly hidden: readonly Candidate[];
}

export interface ShownCandidate {
  readonly candidate: Candidate;
  readonly item: Item;
}

/** Rules that are only named, one after the other, as long as they fit. */
function nameGeneral(candidates: readonly CountedCandidate[], tokens: number) {
  const names: (readonly [string, string])[] = [];
  const shown: ShownCandidate[] = [];
  const hidden: Candidate[] = [];
  let left = tokens;
  for (const candidate of candidates) {
    const { id, item } = candidate;
    const title = 'title' in item ? (item.title ?? id) : id;
    // Without its braces, the pair costs less.
    const cost = tokensOf({ [id]: title });
    if (cost > left) hidden.push(candidate);
    else {
      left -= cost;
      names.push([id, title]);
      shown.push({ candidate, item });
    }
  }
  return { general: Object.fromEntries(names), shown, hidden };
}

/** The candidates that fit, each memory in its own order. The last one of a memory may be shortened. */
export function fitBudget(all: readonly CountedCandidate[], tokens: number): FittedParts {
  const candidates = all.filter(({ isOnlyNamed }) => isOnlyNamed !== true);
  const general = all.filter(({ isOnlyNamed }) => isOnlyNamed === true);
  const shares = shareOut(candidates, Math.max(0, tokens));
  const items: Partial<Record<Part, readonly Item[]>> = {};
  const leftOut: Partial<Record<Part, number>> = {};
  const allShown: ShownCandidate[] = [];
  const hidden: Candidate[] = [];
  for (const part of parts) {
    let left = shares.get(part) ?? 0;
    const hiddenBefore = hidden.length;
    const chosen: Item[] = [];
    for (const candidate of candidates.filter((one) => one.part === part)) {
      const { cost, headTokens } = candidate;
      const shown = cost <= left ? candidate.item : shortenItem(candidate, left + headTokens);
      if (shown !== undefined) left -= Math.min(left, cost);
      const atLeast = shown ?? candidate.head;
      if (atLeast === undefined) hidden.push(candidate);
      else {
        chosen.push(atLeast);
        allShown.push({ candidate, item: atLeast });
      }
    }
    if (chosen.length > 0) items[part] = chosen;
    if (hidden.length > hiddenBefore) leftOut[part] = hidden.length - hiddenBefore;
  }
  const shared = [...shares.values()].reduce((sum, share) => sum + share, 0);
  const named = nameGeneral(general, Math.min(tokens - shared, tokens * contextLimits.generalRatio));
  if (named.hidden.length > 0) leftOut.rules = (leftOut.rules ?? 0) + named.hidden.length;
  return {
    ...{ items, leftOut, general: named.general },
    shown: [...allShown, ...named.shown],
    hidden: [...hidden, ...named.hidden],
  };
}
