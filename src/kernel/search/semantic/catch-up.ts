import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../call.ts';
import type { Collection } from '../collection.ts';
import type { SemanticAnswer, SemanticSearch } from './semantic-search.ts';

/**
 * For a process that exits after one call and cannot embed later: the search waits for pending documents, at most
 * `withinMs`.
 */
export function embedBeforeSearch(semantic: SemanticSearch, withinMs: number): SemanticSearch {
  async function catchUp(call: Call): Promise<void> {
    const over = new AbortController();
    call.progress(0, undefined, 'embedding what was written');
    try {
      const signal = AbortSignal.any([call.signal, over.signal]);
      await Promise.race([semantic.settle(call.tenant), wait(withinMs, undefined, { signal })]);
    } catch {
      // Documents that could not be embedded are found by keyword search, and the answer reports them as pending.
    } finally {
      over.abort();
    }
  }

  async function caughtUp(
    call: Call,
    collection: Collection,
    ask: () => Promise<SemanticAnswer | undefined>,
  ): Promise<SemanticAnswer | undefined> {
    const answer = await ask();
    if (answer === undefined || (await semantic.waiting(call, collection)).count === 0) return answer;
    await catchUp(call);
    return ask();
  }

  return {
    ...semantic,
    nearest(call, collection, query) {
      const ask = () => semantic.nearest(call, collection, query);
      return query.isPatient === false ? ask() : caughtUp(call, collection, ask);
    },
    nearestTo: (call, collection, query) =>
      caughtUp(call, collection, () => semantic.nearestTo(call, collection, query)),
  };
}
