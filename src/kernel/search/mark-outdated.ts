import type { Work, Writer } from '../storage/port.ts';
import type { Collection } from './collection.ts';
import { markOutdated } from './keyword/index/segment-store.ts';
import { markStale } from './semantic/semantic-store.ts';

/**
 * Documents of these collections came or went past the indexes, as whole rows do that are imported. The next search by
 * words makes its index anew from what was provided; what searches by meaning goes through all documents again, and embeds
 * those whose text it does not know.
 */
export function* markIndexesOutdated(db: Writer, collections: readonly Collection[]): Work<void> {
  for (const { name } of collections) {
    yield* markOutdated(db, name);
    yield* markStale(db, name);
  }
}
