import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../call.ts';
import type { Collection } from '../collection.ts';
import type { SemanticAnswer, SemanticSearch } from './semantic-search.ts';

/**
 * For a process that ends with its answer: there is no time after it in which what was written could be embedded. The
 * search, which needs the model anyway, waits for the others then, but no longer than `withinMs`.
 */
export function embedBeforeSearch(semantic: SemanticSearch, withinMs: number): SemanticSearch {
  async function catchUp(call: Call): Promise<void> {
    const over = new AbortController();
    call.progress(0, undefined, 'embedding what was written');
    try {
      const signal = AbortSignal.any([call.signal, over.signal]);
      await Promise.race([semantic.settle(call.tenant), wait(withinMs, undefined, { signal })]);
    } catch {
      // What could not be embedded is found by its words, and the answer says that it waits.
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
    nearest: (call, collection, query) => caughtUp(call, collection, () => semantic.nearest(call, collection, query)),
    nearestTo: (call, collection, query) =>
      caughtUp(call, collection, () => semantic.nearestTo(call, collection, query)),
  };
}
