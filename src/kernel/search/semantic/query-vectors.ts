import type { Clock } from '../../clock/clock.ts';
import { rejectionOf } from '../../clock/rejection-of.ts';
import { type Embedder, type QueryEmbedding, TextRejectedError } from '../../embed/embedder.ts';
import { searchLimits } from '../search-limits.ts';
import { createQueryBreaker } from './query-breaker.ts';

async function embedOne(embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryEmbedding> {
  const [vector] = await embedder.embed([text], { signal, purpose: 'query' });
  if (vector === undefined) throw new Error('bug: the embedder returned no vector');
  return { vector };
}

/**
 * Caches query vectors: the next page has the same query, and `recall` asks several memories the same at the same time.
 * A caller that leaves does not end the embedding, because others may wait for it.
 */
export function createQueryVectors(clock: Clock, closing: AbortSignal) {
  const breaker = createQueryBreaker(clock);
  const embeddings = new Map<string, Promise<QueryEmbedding>>();

  function start(embedder: Embedder, key: string, text: string): Promise<QueryEmbedding> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(searchLimits.queryWaitMs)]);
    const started = breaker(
      () => embedder.tokens?.embedQuery(text, signal) ?? embedOne(embedder, text, signal),
      // A program that ends, or a text that no embedder takes, says nothing about the embedder.
      (error) => !closing.aborted && !(error instanceof TextRejectedError),
    );
    started.catch(() => embeddings.delete(key));
    return started;
  }

  return (embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryEmbedding> => {
    signal.throwIfAborted();
    const asked = text.slice(0, searchLimits.semanticQueryChars).toWellFormed();
    const key = `${embedder.id}\0${asked}`;
    const embedding = embeddings.get(key) ?? start(embedder, key, asked);
    embeddings.delete(key);
    embeddings.set(key, embedding);
    const [oldest] = embeddings.keys();
    if (embeddings.size > searchLimits.queryVectorsCount) embeddings.delete(oldest!);
    return Promise.race([embedding, rejectionOf(signal)]);
  };
}
