import type { Work, Writer } from '../storage/port.ts';
import type { Collection } from './collection.ts';
import { markOutdated } from './keyword/index/segment-store.ts';
import { markStale } from './semantic/semantic-store.ts';

/**
 * Call this when documents of these collections changed without the indexes, as an import of whole rows does. The next
 * keyword search rebuilds its index, and semantic search checks all documents and embeds those with a new text.
 */
export function* markIndexesOutdated(db: Writer, collections: readonly Collection[]): Work<void> {
  for (const { name } of collections) {
    yield* markOutdated(db, name);
    yield* markStale(db, name);
  }
}
