import type { Collection, SearchDocument } from './collection.ts';
import { highlightField } from './keyword/query/highlight.ts';
import { parseQuery } from './keyword/query/parse-query.ts';
import { createPart } from './keyword/query/part.ts';
import { createSearchBuffers } from './keyword/query/search-buffers.ts';
import { type HitKey, searchParts } from './keyword/query/search-parts.ts';
import { buildSegment } from './keyword/segment/build-segment.ts';
import { runInSlices } from './keyword/segment/run-in-slices.ts';
import { createStemmer } from './stemmer.ts';

/** Searches texts that are in no index, by the rules of keyword search. */
export function createDocumentMatcher() {
  const stemOf = createStemmer();
  const buffersFor = createSearchBuffers();
  const parse = (text: string) => parseQuery(text, { match: 'any', lastWordIsPrefix: false }, stemOf);

  /** The search of documents that stay, which indexes them once. */
  async function prepare(
    collection: Collection,
    documents: readonly SearchDocument[],
    signal?: AbortSignal,
  ): Promise<(text: string) => readonly HitKey[]> {
    const segment = await runInSlices(buildSegment(collection.fields, documents, stemOf), signal);
    const parts = [createPart(collection, segment, undefined)];
    return (text) => {
      const query = {
        parsed: parse(text),
        match: 'any',
        filters: [],
        limit: documents.length,
        after: undefined,
        substring: true,
      } as const;
      return searchParts(collection, parts, query, buffersFor).docs.map(({ id, score }) => ({ id, score }));
    };
  }

  return {
    prepare,
    /** Of a few documents, such as earlier states of indexed ones, by score, then by id. Only these count for frequencies. */
    async search(
      collection: Collection,
      documents: readonly SearchDocument[],
      text: string,
      signal: AbortSignal,
    ): Promise<readonly HitKey[]> {
      return (await prepare(collection, documents, signal))(text);
    },
    countTerms: (text: string): number => parse(text).terms.length,
    /** Whether a text has a word of the query, or the query inside its words. */
    matching(query: string): (text: string) => boolean {
      const parsed = parse(query);
      return (text) =>
        (['words', 'substring'] as const).some(
          (how) => highlightField('', text, { parsed, how, stemOf }) !== undefined,
        );
    },
  };
}

export type DocumentMatcher = ReturnType<typeof createDocumentMatcher>;
