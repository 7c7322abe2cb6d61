import type { Clock } from '../../clock/clock.ts';
import { type Embedder, TextRejectedError } from '../../embed/embedder.ts';
import { searchLimits } from '../search-limits.ts';
import { createQueryBreaker } from './query-breaker.ts';

/** Caches query vectors: the next page has the same query. */
export function createQueryVectors(clock: Clock) {
  const breaker = createQueryBreaker(clock);
  const vectors = new Map<string, Float32Array>();
  return async (embedder: Embedder, text: string, signal: AbortSignal): Promise<Float32Array> => {
    const asked = text.slice(0, searchLimits.semanticQueryChars).toWellFormed();
    const key = `${embedder.id}\0${asked}`;
    let vector = vectors.get(key);
    if (vector === undefined) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(searchLimits.queryWaitMs)]);
      [vector] = await breaker(
        () => embedder.embed([asked], { signal: limited, purpose: 'query' }),
        // A caller that left, or a text that no embedder takes, says nothing about the embedder.
        (error) => !signal.aborted && !(error instanceof TextRejectedError),
      );
      if (vector === undefined) throw new Error('bug: the embedder returned no vector');
    }
    vectors.delete(key);
    vectors.set(key, vector);
    const [oldest] = vectors.keys();
    if (vectors.size > searchLimits.queryVectorsCount) vectors.delete(oldest!);
    return vector;
  };
}
