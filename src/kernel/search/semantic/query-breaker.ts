import type { Clock } from '../../clock/clock.ts';
import { searchLimits } from '../search-limits.ts';

/** The embedder failed a moment ago and is not asked again yet. */
export class EmbedderResting extends Error {
  override readonly name = 'EmbedderResting';
}

/**
 * Keeps searches from waiting for an embedder that fails or hangs: after a failure it rests, longer after each further
 * one. Then one query tries it, while all others go on without it.
 */
export function createQueryBreaker(clock: Clock) {
  let pauseMs: number = searchLimits.queryRetryMs;
  let restsUntil: number | undefined;
  let isTrying = false;

  return async <T>(embed: () => Promise<T>, isFailure: (error: unknown) => boolean): Promise<T> => {
    if (restsUntil !== undefined && (isTrying || clock.now() < restsUntil)) throw new EmbedderResting();
    const isTrial = restsUntil !== undefined;
    if (isTrial) isTrying = true;
    try {
      const answer = await embed();
      restsUntil = undefined;
      pauseMs = searchLimits.queryRetryMs;
      return answer;
    } catch (error) {
      if (isFailure(error)) {
        // Queries that began together fail together, and count as one failure.
        if (isTrial) pauseMs = Math.min(2 * pauseMs, searchLimits.queryRetryMostMs);
        restsUntil = clock.now() + pauseMs;
      }
      throw error;
    } finally {
      if (isTrial) isTrying = false;
    }
  };
}
