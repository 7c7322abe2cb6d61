import type { Work, Writer } from '../../storage/port.ts';
import { searchLimits } from '../search-limits.ts';
import { deleteGoneWaiting, listNoted, setNoted } from './semantic-store.ts';
import { deleteGone, findHead, moveSwept, takeSeq } from './vectors/vector-store.ts';

/** Removes ids from the list of documents that are to be embedded. */
export function* withdrawNoted(db: Writer, collection: string, gone: ReadonlySet<string>): Work<void> {
  for (const { ticket, ids: text } of yield* listNoted(db, collection, searchLimits.withdrawnRowsCount)) {
    const ids = JSON.parse(text) as readonly string[];
    const left = ids.filter((id) => !gone.has(id));
    if (left.length < ids.length) yield* setNoted(db, collection, ticket, left);
  }
}

/** Removes the ids of deleted documents. Other processes then read all vectors of the collection again. */
export function* purgeGone(db: Writer, collection: string): Work<void> {
  if ((yield* findHead(db, collection)) === undefined) return;
  const taken = yield* takeSeq(db, collection);
  yield* moveSwept(db, collection, taken!.seq);
  yield* deleteGone(db, collection, taken!.seq);
  yield* deleteGoneWaiting(db, collection);
}
