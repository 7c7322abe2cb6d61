import { createPacer } from '../../../clock/yield-to-event-loop.ts';
import type { Collection, SearchDocument } from '../../collection.ts';
import { searchLimits, type Tuning } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import { createPart, type Part } from '../query/part.ts';
import { buildSegment } from '../segment/build-segment.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { runInSlices } from '../segment/run-in-slices.ts';
import { decodeEntries, type Entry, isDocument } from './entries.ts';
import type { EntriesRow } from './segment-store.ts';
import { hide, type StoredPart, type View } from './view.ts';

type Pace = ReturnType<typeof createPacer>;

export interface TailDeps {
  readonly collection: Collection;
  readonly stemOf: StemOf;
  readonly tuning: Tuning;
}

/** Adds newer rows to the view: hides older states of their documents and indexes the new ones in memory. */
export async function addToTail(view: View, rows: readonly EntriesRow[], deps: TailDeps): Promise<View> {
  if (rows.length === 0) return view;
  const pace = createPacer(searchLimits.sliceMs);
  // Only the last change of a document counts.
  const latest = new Map<string, Entry>();
  let count = 0;
  let chars = 0;
  for (const { entries } of rows) {
    chars += entries.length;
    for (const entry of decodeEntries(entries)) {
      latest.set(entry.id, entry);
      count += 1;
    }
    await pace();
  }
  const ids = [...latest.keys()];
  const stored: StoredPart[] = [];
  for (const part of view.stored) stored.push(await hideAll(part, ids, pace));
  const kept: Part[] = [];
  for (const part of view.tail) kept.push(await hideAll(part, ids, pace));
  const documents = [...latest.values()].filter(isDocument);
  const tail = await compact(
    [...kept.filter((part) => part.liveCount > 0), ...(await indexDocuments(documents, deps))],
    deps,
  );
  return { ...view, stored, tail, tailCount: view.tailCount + count, tailChars: view.tailChars + chars };
}

/** The tail may have thousands of documents, each of which is looked up in every part. */
async function hideAll<P extends Part>(part: P, ids: readonly string[], pace: Pace): Promise<P> {
  let hidden = part;
  for (let from = 0; from < ids.length; from += searchLimits.hiddenBatchCount) {
    hidden = hide(hidden, ids.slice(from, from + searchLimits.hiddenBatchCount));
    await pace();
  }
  return hidden;
}

/** Segments of bounded size, because the tail may be long after a restart. */
async function indexDocuments(documents: readonly SearchDocument[], deps: TailDeps): Promise<readonly Part[]> {
  const { collection, stemOf, tuning } = deps;
  const parts: Part[] = [];
  for (let from = 0; from < documents.length; from += tuning.segmentBatchCount) {
    const some = documents.slice(from, from + tuning.segmentBatchCount);
    const segment = await runInSlices(buildSegment(collection.fields, some, stemOf));
    parts.push(createPart(collection, segment, undefined));
  }
  return parts;
}

/** Keeps each part at least twice as large as the next: few parts, and a document is rarely moved. */
async function compact(parts: readonly Part[], { collection, tuning }: TailDeps): Promise<readonly Part[]> {
  const tail = [...parts];
  for (;;) {
    const last = tail.at(-1);
    const before = tail.at(-2);
    if (last === undefined || before === undefined || before.liveCount >= 2 * last.liveCount) return tail;
    if (before.segment.byteCount + last.segment.byteCount > tuning.largestSegmentBytes) return tail;
    const merged = await runInSlices(mergeSegments(collection.fields, [before, last]));
    tail.splice(-2, 2, createPart(collection, merged, undefined));
  }
}
