import type { Step, Work, Writer } from '../../../storage/port.ts';
import { type Entry, encodeEntries } from './entries.ts';
import { insertRow, takeSeq } from './segment-store.ts';

const nothing: Step<void> = { *[Symbol.iterator]() {} };

/**
 * Writes down changes for the index, in the transaction of whoever makes them. The first statement is made at once, so that
 * a forgotten `yield*` fails the transaction instead of leaving a document unfound.
 */
export function appendEntries(
  db: Writer,
  collection: string,
  entries: readonly Entry[],
  note: (chars: number) => void,
): Step<void> {
  if (entries.length === 0) return nothing;
  const seqTaken = takeSeq(db, collection);
  const text = encodeEntries(entries);
  return {
    *[Symbol.iterator](): Work<void> {
      const taken = yield* seqTaken;
      yield* insertRow(db, collection, taken!.seq, text);
      note(text.length);
    },
  };
}
