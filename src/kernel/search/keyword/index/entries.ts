import type { Step, Work, Writer } from '../../../storage/port.ts';
import type { Collection, Facets, SearchDocument } from '../../collection.ts';
import { idField } from '../../collection.ts';
import { searchLimits } from '../../search-limits.ts';
import { insertRow, takeSeq } from './segment-store.ts';

/** One change of one document: its new state, or only its id if it was deleted. */
export type Entry = SearchDocument | { readonly id: string };

export const isDocument = (entry: Entry): entry is SearchDocument => 'fields' in entry;

/** Rows are JSON, because NUL and lone surrogates survive that in every store. */
const encodeEntries = (entries: readonly Entry[]): string => JSON.stringify(entries);
export const decodeEntries = (text: string): readonly Entry[] => JSON.parse(text) as readonly Entry[];

/** Leaves out undeclared fields and text beyond the limit. */
export function toEntry(collection: Collection, { id, fields, facets }: SearchDocument): SearchDocument {
  checkKeepable(id, facets);
  let left: number = searchLimits.documentChars;
  const kept: Record<string, string> = {};
  for (const field of collection.fields) {
    const text = field === idField ? undefined : fields[field];
    if (text === undefined || text === '' || left === 0) continue;
    kept[field] = text.slice(0, left);
    left -= kept[field].length;
  }
  return facets === undefined ? { id, fields: kept } : { id, fields: kept, facets };
}

function checkKeepable(id: string, facets: Facets | undefined): void {
  if (id === '' || !id.isWellFormed()) throw new Error('bug: the id of a search document is empty or ill-formed');
  for (const [key, values] of Object.entries(facets ?? {})) {
    for (const value of [key, ...(typeof values === 'string' ? [values] : values)]) {
      if (value.includes('\0') || !value.isWellFormed()) throw new Error(`bug: the facet ${key} has ill-formed text`);
    }
  }
}

const nothing: Step<void> = { *[Symbol.iterator]() {} };

/**
 * Records changes for the index in the caller's transaction. The first statement is created immediately, so that a
 * forgotten `yield*` fails the transaction instead of losing a document.
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
