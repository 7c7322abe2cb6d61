import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { limits } from '#kernel/limits.ts';
import { fitPage, jsonBytes } from '#kernel/text/budget.ts';
import { runInBatches } from '../catalog/time-slices.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type RuleActivity, toActivityNeeds } from '../rules/activity-filter.ts';
import {
  filterEntries,
  type QueryFilters,
  type Sort,
  type SortKey,
  sortEntries,
  sortKeyOf,
} from '../rules/filter-and-sort.ts';
import { toListed } from './brief-entry.ts';
import { createFacetCounts } from './count-facets.ts';
import { entryBytes } from './offset-pages.ts';
import { addUsage, openCursor, type ReadsDeps } from './reads-deps.ts';

export interface QueryInput extends QueryFilters {
  /** The nested form; the flat parameters of 1.1 are accepted next to it. */
  readonly filters?: QueryFilters | undefined;
  readonly sort?: Sort | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly brief?: boolean | undefined;
  readonly facets?: boolean | undefined;
}

const tool = 'instructions/query';
const cursorState = z.object({ of: z.string(), value: z.union([z.string(), z.number()]), id: z.string() });

/** Rejects a condition that is given in both forms. */
function mergeFilters(nested: QueryFilters, flat: QueryFilters): QueryFilters {
  const given = Object.entries(flat).filter(([, value]) => value !== undefined);
  const twice = given.find(([key]) => key in nested)?.[0];
  if (twice !== undefined) {
    throw faults.INVALID_PARAMS({ why: `${twice} is given both inside and outside filters` }, { field: twice });
  }
  return { ...nested, ...Object.fromEntries(given) };
}

const otherQuery = 'the cursor belongs to another query';

interface QueryWindow {
  readonly activity: RuleActivity;
  readonly appliedFilters: QueryFilters;
  readonly sort: Sort | undefined;
  readonly after: SortKey | undefined;
  /** The end of the page among the entries after `after`. */
  readonly end: number;
  onMatches?(matching: readonly InstructionEntry[]): void;
}

/** Filters and sorts in batches, and keeps only as many entries as the page needs. `leftCount`: after the cursor. */
async function findFirstMatches(
  entries: readonly InstructionEntry[],
  { activity, appliedFilters, sort, after, end, onMatches }: QueryWindow,
  signal: AbortSignal,
) {
  let total = 0;
  let leftCount = 0;
  let first: InstructionEntry[] = [];
  const isPicked = end <= instructionLimits.partialSortCount;
  const hasNoOrder = sort === undefined;
  await runInBatches(entries, signal, (part) => {
    const matching = filterEntries(part, appliedFilters, activity);
    const left = sortEntries(matching, sort, after);
    total += matching.length;
    onMatches?.(matching);
    leftCount += left.length;
    // Without a sort, the batches are in the requested order already.
    if (!isPicked || (hasNoOrder && first.length < end)) first.push(...left);
    else if (!hasNoOrder && left.length > 0) first = sortEntries([...first, ...left], sort).slice(0, end);
  });
  return { total, leftCount, first: (isPicked ? first : sortEntries(first, sort)).slice(0, end) };
}

export async function queryEntries(
  deps: Pick<ReadsDeps, 'catalog' | 'usage' | 'cursors' | 'records'>,
  input: QueryInput,
  call: Call,
) {
  const startedAt = performance.now();
  const { filters = {}, sort, limit, offset = 0, cursor, brief = false, facets = false, ...flat } = input;
  if (cursor !== undefined && offset > 0) {
    throw faults.INVALID_PARAMS({ why: 'use either cursor or offset, not both' }, { field: 'offset' });
  }
  const appliedFilters = mergeFilters(filters, flat);
  if (appliedFilters.signalMin !== undefined && appliedFilters.signal === undefined) {
    throw faults.INVALID_PARAMS({ why: 'signalMin needs signal' }, { field: 'signalMin' });
  }
  const fingerprint = sha256Hex(canonicalJson([appliedFilters, sort ?? null])).slice(0, 16);
  const after: SortKey | undefined =
    cursor === undefined
      ? undefined
      : openCursor(deps, call, cursorState, { tool, fingerprint, cursor, why: otherQuery });
  const state = await deps.catalog.state(call);
  const activity = await deps.records.activity(call, toActivityNeeds([appliedFilters]));
  const end = offset + (limit ?? instructionLimits.defaultResultsCount);
  const counts = facets ? createFacetCounts() : undefined;
  const { total, leftCount, first } = await findFirstMatches(
    state.entries,
    { activity, appliedFilters, sort, after, end, ...(counts && { onMatches: counts.add }) },
    call.signal,
  );
  const asked = first.slice(offset);
  const remarks = appliedFilters.signal === undefined ? undefined : await deps.records.remarksOf(call, asked);
  const remarksOf = (id: string) => {
    const found = remarks?.get(id);
    return found === undefined ? [] : [{ id, ...found }];
  };
  // An explicit limit is honoured up to the largest answer; the default page fits into a conversation.
  const budgetBytes = limit === undefined ? limits.pageBytes : instructionLimits.wholeAnswerBytes;
  const sizeOf = (entry: InstructionEntry) =>
    (brief ? jsonBytes(toListed(entry)) : entryBytes(entry)) +
    (remarks === undefined ? 0 : jsonBytes(remarksOf(entry.id)));
  const page = fitPage(asked, budgetBytes, sizeOf);
  const last = page.items.at(-1);
  const hasMore = last !== undefined && offset + page.items.length < leftCount;
  const items = await addUsage(deps, call, page.items);
  return {
    hash: state.hash,
    items: brief ? items.map(toListed) : items,
    ...(counts && { facets: counts.result() }),
    ...(remarks === undefined ? {} : { remarks: page.items.flatMap(({ id }) => remarksOf(id)) }),
    total,
    returned: page.items.length,
    ...(hasMore
      ? { nextCursor: deps.cursors().seal(tool, call.tenant, { of: fingerprint, ...sortKeyOf(last, sort) }) }
      : {}),
    appliedFilters: { ...appliedFilters },
    performanceMs: performance.now() - startedAt,
  };
}
