import type { Call } from '#kernel/call.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { isNearWord } from '../../observations/compare-names.ts';
import { companyType } from '../../observations/entity-name.ts';
import { foldWord, isPersonType, wordsOfName } from '../../observations/fold-name.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type EntityHead, findEntityHeads } from '../entity-store.ts';
import type { Mark } from '../find-by-identifier.ts';
import { entityDocuments } from './entity-collection.ts';

export interface MisspelledNamesDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly search: Pick<SearchIndex, 'search'>;
}

interface MisspelledQuery {
  readonly text: string;
  readonly filters: readonly FacetFilter[];
  /** Indexed words that are similar to a query without a known word. */
  readonly hints: readonly string[];
}

const { similarCount } = truthLimits;

/** The shortest name has the least besides the word. */
const byName = (a: EntityHead, b: EntityHead): number =>
  a.canonical_name.length - b.canonical_name.length || (a.entity_id < b.entity_id ? -1 : 1);

/** Of people only the surname may be misspelled: Dana and Diana are two people. */
function hasName({ entity_type, canonical_name }: EntityHead, word: string): boolean {
  const names = wordsOfName(entity_type, canonical_name).words.map(foldWord);
  return isPersonType(entity_type) ? names.length > 1 && names.at(-1) === word : names.includes(word);
}

/**
 * [TR86] Entities with a word in their name that a query of one word misspells. The keys of similar names lack short
 * words, because most short words that look alike are different ones; here no entity has the word of the query.
 */
export function createMisspelledNames({ storage, search }: MisspelledNamesDeps) {
  return async ({ text: query, filters, hints }: MisspelledQuery, call: Call): Promise<ReadonlyMap<string, Mark>> => {
    const { words } = wordsOfName(companyType, query);
    const [first] = words;
    if (first === undefined || words.length > 1) return new Map();
    const asked = foldWord(first);
    // `Accme Ltd`: others have the company form.
    const isBare = !/\s/.test(query.trim());
    const alone = { text: first, filters, limit: 1, substring: false };
    const known = isBare ? hints : (await search.search(call, entityDocuments, alone)).hints;
    const marks = new Map<string, Mark>();
    for (const text of known) {
      const word = foldWord(text);
      if (!isNearWord(asked, word)) continue;
      const { hits } = await search.search(call, entityDocuments, { text, filters, limit: similarCount });
      const ids = hits.map(({ id }) => id);
      const heads = ids.length === 0 ? [] : await storage.read(call, (db) => findEntityHeads(db, ids));
      const named = heads.filter((head) => hasName(head, word));
      for (const { entity_id, canonical_name } of named.toSorted(byName))
        marks.set(entity_id, { match: 'near', matched_text: canonical_name, rank: 0 });
    }
    return new Map([...marks].slice(0, similarCount));
  };
}
