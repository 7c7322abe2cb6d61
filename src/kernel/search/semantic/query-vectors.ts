import type { Embedder, QueryEmbedding } from '../../embed/embedder.ts';
import { searchLimits } from '../search-limits.ts';

async function embedOne(embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryEmbedding> {
  const [vector] = await embedder.embed([text], { signal, purpose: 'query' });
  if (vector === undefined) throw new Error('bug: the embedder returned no vector');
  return { vector };
}

/** Caches query vectors: the next page has the same query. Other memories that are searched for it use the tokens too. */
export function createQueryVectors() {
  const embeddings = new Map<string, QueryEmbedding>();
  return async (embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryEmbedding> => {
    const asked = text.slice(0, searchLimits.semanticQueryChars).toWellFormed();
    const key = `${embedder.id}\0${asked}`;
    let embedding = embeddings.get(key);
    if (embedding === undefined) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(searchLimits.queryWaitMs)]);
      embedding = embedder.tokens
        ? await embedder.tokens.embedQuery(asked, limited)
        : await embedOne(embedder, asked, limited);
    }
    embeddings.delete(key);
    embeddings.set(key, embedding);
    const [oldest] = embeddings.keys();
    if (embeddings.size > searchLimits.queryVectorsCount) embeddings.delete(oldest!);
    return embedding;
  };
}
