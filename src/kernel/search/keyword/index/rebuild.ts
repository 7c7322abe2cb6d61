import { createPacer, yieldToRequests } from '../../../clock/yield-to-event-loop.ts';
import { faults } from '../../../fault/kernel-faults.ts';
import type { Collection, SearchDocument } from '../../collection.ts';
import type { Tuning } from '../../search-limits.ts';
import { searchLimits } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import { buildSegment } from '../segment/build-segment.ts';
import { runInBackground } from '../segment/run-in-slices.ts';
import { toEntry } from './entries.ts';
import { commitSegments, MergeConflict, type SegmentWriteDeps, writeSegment } from './segment-io.ts';
import { findHead, insertHead, listSegments } from './segment-store.ts';

export interface RebuildDeps extends SegmentWriteDeps {
  readonly declared: Collection;
  readonly stemOf: StemOf;
  readonly tuning: Tuning;
  readonly signal: AbortSignal;
  progress(done: number): void;
}

export type DocumentSource = AsyncIterable<SearchDocument> | Iterable<SearchDocument>;

/**
 * Indexes all documents again and replaces the index. Rows written meanwhile stay in the tail and override what was
 * read from the source.
 */
export async function rebuildSegments(deps: RebuildDeps, documents: DocumentSource): Promise<void> {
  const { storage, collection, toCall } = deps;
  const { head, old } = await storage.write(toCall(), function* (db) {
    yield* insertHead(db, collection);
    return { head: (yield* findHead(db, collection))!, old: yield* listSegments(db, collection) };
  });
  const added: string[] = [];
  let done = 0;
  for await (const batch of inBatches(documents, deps)) {
    const segment = await runInBackground(buildSegment(deps.declared.fields, batch, deps.stemOf), deps.signal);
    added.push(await writeSegment(deps, segment));
    done += batch.length;
    deps.progress(done);
  }
  const dropped = old.map(({ id }) => id);
  const step = { generation: head.generation, merged: head.seq, added, dropped, dead: [] };
  try {
    await storage.write(toCall(), (db) => commitSegments(db, collection, step));
  } catch (error) {
    if (!(error instanceof MergeConflict)) throw error;
    throw faults.CONFLICT({ why: `another process changed the search index of ${collection} during its rebuild` });
  }
}

const charsOf = ({ fields, facets = {} }: SearchDocument): number =>
  [...Object.values(fields), ...Object.values(facets).flat()].reduce((sum, text = '') => sum + text.length, 0);

/** As large as memory allows: until the segments are merged, each search visits all of them. */
async function* inBatches(
  documents: DocumentSource,
  { declared, tuning, signal }: RebuildDeps,
): AsyncGenerator<readonly SearchDocument[]> {
  const seen = new Set<string>();
  const rest = createPacer(searchLimits.sliceMs, signal, yieldToRequests);
  let batch: SearchDocument[] = [];
  let chars = 0;
  for await (const document of documents) {
    await rest();
    if (seen.has(document.id)) throw new Error(`bug: the source of ${declared.name} returned an id twice`);
    seen.add(document.id);
    const entry = toEntry(declared, document);
    batch.push(entry);
    chars += charsOf(entry);
    if (batch.length < tuning.rebuiltBatchCount && chars < searchLimits.rebuiltBatchChars) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
