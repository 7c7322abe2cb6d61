import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { limits } from '#kernel/limits.ts';
import { hasWords, queryHints } from '#kernel/search/hybrid.ts';
import { fitPage, jsonBytes } from '#kernel/text/budget.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { entryBytes } from './offset-pages.ts';
import { addUsage, openCursor, type ReadsDeps } from './reads-deps.ts';
import { searchInMode } from './search/by-mode.ts';
import {
  type RequestedMode,
  type SearchHits,
  type SearchMode,
  searchModes,
  toSearchMode,
} from './search/search-hits.ts';

export interface SearchInput {
  readonly q: string;
  readonly limit?: number | undefined;
  readonly highlight?: boolean | undefined;
  readonly mode?: RequestedMode | undefined;
  readonly cursor?: string | undefined;
}

const tool = 'instructions/search';

const cursorState = z.object({
  of: z.string(),
  mode: z.enum(searchModes),
  place: z.union([
    z.object({ score: z.number(), id: z.string() }),
    z.object({ isInTitle: z.boolean(), priority: z.number(), id: z.string() }),
  ]),
});

/** Ties a cursor to its search. */
const fingerprintOf = (mode: SearchMode, q: string): string => sha256Hex(`${mode}\n${q}`).slice(0, 16);

const otherSearch = 'the cursor belongs to another search';

const otherToolsHint =
  'The action categories of instructions_dispatch lists the topics; instructions_applicable finds the rules for a task.';

const emptyCatalog =
  'The catalog is empty: add an entry with the action add of instructions_dispatch, or run `fourfold instructions seed`.';

function emptyHints(mode: SearchMode, q: string, { count }: CatalogState): readonly string[] {
  if (count === 0) return [emptyCatalog];
  if (mode !== 'regex' && !hasWords(q)) return [queryHints.noWords, otherToolsHint];
  return mode === 'regex'
    ? [
        'The pattern is matched against titles and bodies and ignores case; mode keyword searches for words.',
        otherToolsHint,
      ]
    : ['Try fewer or other words, or a part of a word.', otherToolsHint];
}

export async function searchEntries(deps: ReadsDeps, input: SearchInput, call: Call) {
  const { q, cursor, limit, highlight = false } = input;
  if (q.length > instructionLimits.searchChars) {
    throw faults.RESOURCE_LIMIT({ what: 'The query', limit: instructionLimits.searchChars, unit: 'characters' });
  }
  const requestedMode = toSearchMode(input.mode ?? 'keyword');
  const fingerprint = fingerprintOf(requestedMode, q);
  // Continues in the mode of the first page, even if other modes are available by now.
  const start =
    cursor === undefined
      ? { mode: requestedMode, place: undefined }
      : openCursor(deps, call, cursorState, { tool, fingerprint, cursor, why: otherSearch });
  const query = { q, highlight, after: start.place, limit: limit ?? instructionLimits.defaultResultsCount };
  const {
    found,
    mode,
    hints: modeHints,
    pending,
  } = q.trim() === ''
    ? { found: await searchBlank(deps, call), mode: requestedMode, hints: [], pending: undefined }
    : await searchInMode(deps, call, start.mode, query);
  // An explicit limit is honoured up to the largest answer; the default page fits into a conversation.
  const budgetBytes = limit === undefined ? limits.pageBytes : instructionLimits.wholeAnswerBytes;
  const page = fitPage(found.hits, budgetBytes, (hit) => entryBytes(hit.entry) + jsonBytes(hit.highlights));
  const last = page.items.at(-1);
  const hasMore = last !== undefined && (page.more || found.hasMore);
  const hints = [
    ...modeHints,
    ...found.hints,
    ...(found.count === 0 && q.trim() !== '' ? emptyHints(mode, q, await deps.catalog.state(call)) : []),
  ];
  const entries = page.items.map(({ entry }) => entry);
  return {
    hash: found.hash,
    count: found.count,
    items: await addUsage(deps, call, entries),
    query: q,
    mode,
    ...(mode === 'regex' || entries.length === 0
      ? {}
      : { relevance: Object.fromEntries(page.items.map(({ entry, relevance = 0 }) => [entry.id, relevance])) }),
    ...(found.embedder === undefined ? {} : { embedder: found.embedder }),
    ...(pending === undefined ? {} : { pending }),
    ...(highlight ? { highlights: page.items.flatMap(({ highlights }) => highlights) } : {}),
    ...(hints.length > 0 ? { hints } : {}),
    ...(hasMore
      ? { nextCursor: deps.cursors().seal(tool, call.tenant, { of: fingerprint, mode, place: last.position }) }
      : {}),
  };
}

async function searchBlank({ catalog }: ReadsDeps, call: Call): Promise<SearchHits> {
  const { hash } = await catalog.state(call);
  return { hash, count: 0, hits: [], hasMore: false, hints: ['The query is blank: give search words.'] };
}
