import type { Clock } from '#kernel/clock/clock.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLeases } from '#kernel/jobs/leases.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import { createSemanticSearch } from '#kernel/search/semantic/create-semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';

/** The real keyword and, with an embedder, semantic index of a store, with the other dependencies of a domain. */
export function openIndexes(storage: Storage, clock: Clock, embedder?: Embedder) {
  const ids = createIds(clock);
  const log = createLogFixture();
  const parts = { storage, leases: createLeases({ storage, clock, ids }), clock, ids, log };
  const search = createSearchIndex(parts);
  const meaning = createSemanticSearch({ ...parts, embedder: async () => embedder });
  return {
    ...{ clock, ids, log, search, meaning },
    async close() {
      await meaning.close();
      await search.close();
    },
  };
}
