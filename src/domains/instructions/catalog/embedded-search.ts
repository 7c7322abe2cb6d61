import type { Call } from '#kernel/call.ts';
import type { SearchQuery } from '#kernel/search/answer-search.ts';
import { type HybridAnswer, hybridProfiles, hybridSearch } from '#kernel/search/hybrid.ts';
import type { SemanticAnswer, EmbeddingProgress } from '#kernel/search/semantic/semantic-search.ts';
import { instructionDocuments } from './documents.ts';
import type { Indexes } from './tell-indexes.ts';

/** The catalog by meaning. The first search begins to embed it, in the background. */
export interface EmbeddedSearch {
  /** Best first, of what is alike at all. Undefined: there is no embedder, or it does not answer. */
  nearest(call: Call, text: string, limit: number): Promise<SemanticAnswer | undefined>;
  /** Words and meaning in one ranking. */
  together(call: Call, query: SearchQuery): Promise<HybridAnswer>;
  progress(call: Call): Promise<EmbeddingProgress>;
}

const profile = hybridProfiles.instructions;

/** `settled`: the indexes know all that is served to this caller. */
export const createEmbeddedSearch = (
  { search: index, meaning }: Indexes,
  settled: (call: Call) => Promise<void>,
): EmbeddedSearch => ({
  async nearest(call, text, limit) {
    await settled(call);
    return meaning.nearest(call, instructionDocuments, { text, limit, similarityMin: profile.similarityMin });
  },
  async together(call, query) {
    await settled(call);
    return hybridSearch({ index, semantic: meaning, profile }, call, instructionDocuments, query);
  },
  progress: (call) => meaning.progress(call, instructionDocuments),
});
