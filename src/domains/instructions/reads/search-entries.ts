import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { limits } from '#kernel/limits.ts';
import { fitPage, jsonBytes } from '#kernel/text/budget.ts';
import type { InstructionEntry } from '../model.ts';
import type { EntryHighlight } from '../rules/highlight.ts';
import type { ReadsDeps } from './deps.ts';
import { bytesOf } from './entry-pages.ts';
import { readLimits } from './read-limits.ts';
import { findByMeaning } from './search/by-meaning.ts';
import { findByPattern } from './search/by-pattern.ts';
import { findByWords } from './search/by-words.ts';
import type { Found, Place, SearchMode } from './search/found.ts';
import { addUsage } from './usage-fields.ts';

export interface SearchInput {
  readonly q: string;
  readonly limit?: number | undefined;
  readonly highlight?: boolean | undefined;
  readonly mode?: SearchMode | undefined;
  readonly cursor?: string | undefined;
}

export interface Searched {
  readonly hash: string;
  /** All that match, not only this page. */
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  readonly query: string;
  /** How it was searched in the end. */
  readonly mode: SearchMode;
  readonly highlights?: readonly EntryHighlight[];
  readonly hints?: readonly string[];
  readonly nextCursor?: string;
}

const tool = 'instructions/search';

const cursorState = z.object({
  of: z.string(),
  place: z.union([z.object({ score: z.number(), id: z.string() }), z.object({ at: z.int().min(0) })]),
});

/** A cursor goes on with the search it was made for and no other. */
const fingerprintOf = (mode: SearchMode, q: string): string => sha256Hex(`${mode}\n${q}`).slice(0, 16);

function openPlace(deps: ReadsDeps, call: Call, fingerprint: string, cursor: string): Place {
  const state = cursorState.safeParse(deps.cursors().open(tool, call.tenant, cursor));
  if (!state.success || state.data.of !== fingerprint) {
    throw faults.INVALID_PARAMS({ why: 'the cursor belongs to another search' }, { field: 'cursor' });
  }
  return state.data.place;
}

interface Settled {
  readonly mode: SearchMode;
  readonly hint?: string;
}

/** What cannot be searched here is searched by words, and the answer says so. */
function settleMode({ embeddings, patterns }: ReadsDeps, mode: SearchMode): Settled {
  if (mode === 'regex' && patterns === undefined) {
    return { mode: 'keyword', hint: 'Patterns are not available here; this is the answer of mode keyword.' };
  }
  if ((mode === 'semantic' || mode === 'hybrid') && embeddings === undefined) {
    return { mode: 'keyword', hint: `No embeddings are set up for mode ${mode}; this is the answer of mode keyword.` };
  }
  return { mode };
}

function find(deps: ReadsDeps, call: Call, mode: SearchMode, query: Parameters<typeof findByWords>[2]): Promise<Found> {
  if (mode === 'regex' && deps.patterns !== undefined) return findByPattern(deps.catalog, deps.patterns, call, query);
  if (mode !== 'keyword' && deps.embeddings !== undefined) {
    return findByMeaning(deps.catalog, deps.embeddings, call, { ...query, isHybrid: mode === 'hybrid' });
  }
  return findByWords(deps.catalog, call, query);
}

const emptyHints = [
  'Try fewer or other words, or a part of a word.',
  'instructions/categories shows the topics there are; instructions/applicable finds the rules for a situation.',
];

export async function searchEntries(deps: ReadsDeps, input: SearchInput, call: Call): Promise<Searched> {
  const { q, cursor, limit, highlight = false } = input;
  if (q.length > readLimits.searchChars) {
    throw faults.RESOURCE_LIMIT({ what: 'The query', limit: readLimits.searchChars, unit: 'characters' });
  }
  const { mode, hint } = settleMode(deps, input.mode ?? 'keyword');
  const fingerprint = fingerprintOf(mode, q);
  const after = cursor === undefined ? undefined : openPlace(deps, call, fingerprint, cursor);
  const wanted = { q, highlight, after, limit: limit ?? readLimits.defaultResultsCount };
  const found = q.trim() === '' ? await findNothing(deps, call) : await find(deps, call, mode, wanted);
  // Whoever names a limit gets that many; whoever does not gets a page that fits into a conversation.
  const budgetBytes = limit === undefined ? limits.pageBytes : readLimits.wholeAnswerBytes;
  const page = fitPage(found.hits, budgetBytes, (hit) => bytesOf(hit.entry) + jsonBytes(hit.highlights));
  const last = page.items.at(-1);
  const hasMore = last !== undefined && (page.more || found.hasMore);
  const hints = [
    ...(hint === undefined ? [] : [hint]),
    ...found.hints,
    ...(found.count === 0 && q.trim() !== '' ? emptyHints : []),
  ];
  const entries = page.items.map(({ entry }) => entry);
  return {
    hash: found.hash,
    count: found.count,
    items: await addUsage(deps, call, entries),
    query: q,
    mode,
    ...(highlight ? { highlights: page.items.flatMap(({ highlights }) => highlights) } : {}),
    ...(hints.length > 0 ? { hints } : {}),
    ...(hasMore ? { nextCursor: deps.cursors().seal(tool, call.tenant, { of: fingerprint, place: last.place }) } : {}),
  };
}

async function findNothing({ catalog }: ReadsDeps, call: Call): Promise<Found> {
  const { hash } = await catalog.state(call);
  return { hash, count: 0, hits: [], hasMore: false, hints: ['q is blank: say what you look for.'] };
}
