import type { Collection, SearchDocument } from './collection.ts';
import { parseQuery } from './keyword/query/parse-query.ts';
import { createPart } from './keyword/query/part.ts';
import { createSearchBuffers } from './keyword/query/search-buffers.ts';
import { type HitKey, searchParts } from './keyword/query/search-parts.ts';
import { buildSegment } from './keyword/segment/build-segment.ts';
import { runInSlices } from './keyword/segment/run-in-slices.ts';
import { createStemmer } from './stemmer.ts';

/**
 * Searches a few given documents that are in no index, such as earlier states of indexed ones. By score, then by id;
 * frequencies count among these documents only.
 */
export function createDocumentMatcher() {
  const stemOf = createStemmer();
  const buffersFor = createSearchBuffers();
  return async (
    collection: Collection,
    documents: readonly SearchDocument[],
    text: string,
    signal: AbortSignal,
  ): Promise<readonly HitKey[]> => {
    const segment = await runInSlices(buildSegment(collection.fields, documents, stemOf), signal);
    const parsed = parseQuery(text, { match: 'any', lastWordIsPrefix: false }, stemOf);
    const limit = documents.length;
    const query = { parsed, match: 'any', filters: [], limit, after: undefined, substring: true } as const;
    const { docs } = searchParts(collection, [createPart(collection, segment, undefined)], query, buffersFor);
    return docs.map(({ id, score }) => ({ id, score }));
  };
}
