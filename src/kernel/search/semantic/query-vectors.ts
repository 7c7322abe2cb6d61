import type { Clock } from '../../clock/clock.ts';
import { type Embedder, type QueryEmbedding, TextRejectedError } from '../../embed/embedder.ts';
import { searchLimits } from '../search-limits.ts';
import { createQueryBreaker } from './query-breaker.ts';

async function embedOne(embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryEmbedding> {
  const [vector] = await embedder.embed([text], { signal, purpose: 'query' });
  if (vector === undefined) throw new Error('bug: the embedder returned no vector');
  return { vector };
}

/** Caches query vectors: the next page has the same query. Other memories that are searched for it use the tokens too. */
export function createQueryVectors(clock: Clock) {
  const breaker = createQueryBreaker(clock);
  const embeddings = new Map<string, QueryEmbedding>();
  return async (embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryEmbedding> => {
    const asked = text.slice(0, searchLimits.semanticQueryChars).toWellFormed();
    const key = `${embedder.id}\0${asked}`;
    let embedding = embeddings.get(key);
    if (embedding === undefined) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(searchLimits.queryWaitMs)]);
      embedding = await breaker(
        () => embedder.tokens?.embedQuery(asked, limited) ?? embedOne(embedder, asked, limited),
        // A caller that left, or a text that no embedder takes, says nothing about the embedder.
        (error) => !signal.aborted && !(error instanceof TextRejectedError),
      );
    }
    embeddings.delete(key);
    embeddings.set(key, embedding);
    const [oldest] = embeddings.keys();
    if (embeddings.size > searchLimits.queryVectorsCount) embeddings.delete(oldest!);
    return embedding;
  };
}
