import type { Call } from '../call.ts';
import { scanTokens } from '../text/tokens.ts';
import type { SearchQuery } from './answer-search.ts';
import type { Collection } from './collection.ts';
import type { ItemContext, Surroundings } from './fuse-scores.ts';
import type { FacetFilter } from './keyword/query/filter.ts';
import type { SearchIndex } from './search-index.ts';
import { searchLimits } from './search-limits.ts';

/** The order of a collection's items, where they have one. */
export interface ItemOrder {
  /** The items around each of these, up to `reach` places away. Items without an order are left out. */
  around(call: Call, ids: readonly string[], reach: number): Promise<ReadonlyMap<string, Surroundings>>;
  groupOf(id: string): string;
  /** The facet with the names of an item's author. */
  readonly authorFacet: string;
}

/** The names that a query may contain: its words, as they are indexed. */
function wordsOf(text: string): readonly string[] {
  const words = new Set<string>();
  scanTokens(text.slice(0, searchLimits.queryChars), (word) => words.add(word));
  return [...words].slice(0, searchLimits.queryTermsCount);
}

/** Neighbours are looked up for the best items only, so that the cost does not grow with the store. */
export async function loadContext(
  { index, order }: { readonly index: SearchIndex; readonly order: ItemOrder },
  call: Call,
  collection: Collection,
  { text, filters = [] }: SearchQuery,
  lists: readonly (readonly { readonly id: string }[])[],
): Promise<ItemContext> {
  const best = new Set(lists.flatMap((hits) => hits.slice(0, searchLimits.neighboursCount).map(({ id }) => id)));
  const found = best.size === 0 ? new Map<string, Surroundings>() : await order.around(call, [...best], 2);
  const named = await index.matching(call, collection, [{ key: order.authorFacet, any: wordsOf(text) }]);
  const around = filters.length === 0 ? found : await keepMatching(index, call, collection, filters, found);
  return { around, groupOf: order.groupOf, isNamed: named.has };
}

/** Neighbours that do not pass the filters are not hits. */
async function keepMatching(
  index: SearchIndex,
  call: Call,
  collection: Collection,
  filters: readonly FacetFilter[],
  found: ReadonlyMap<string, Surroundings>,
): Promise<ReadonlyMap<string, Surroundings>> {
  const { has } = await index.matching(call, collection, filters);
  // Keep the distances: a gap is not closed by the next item.
  const keep = (ids: Surroundings['before']) => ids.map((id) => (id !== undefined && has(id) ? id : undefined));
  return new Map([...found].map(([id, { before, after }]) => [id, { before: keep(before), after: keep(after) }]));
}
