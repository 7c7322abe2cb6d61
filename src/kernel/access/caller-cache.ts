import type { Caller } from '../call.ts';
import { accessLimits } from './access-limits.ts';

export interface TrustedCaller {
  readonly caller: Caller;
  readonly trustedUntil: number;
}

/**
 * Recently verified callers, by the SHA-256 of the credential. Looking up a digest reveals nothing through timing about
 * a nearly correct credential.
 */
export interface CallerCache {
  find(digest: string, now: number): Caller | undefined;
  /** Incremented by each `clear`, so that a caller verified before a revocation is not remembered after it. */
  readonly generation: number;
  remember(digest: string, trusted: TrustedCaller, provenIn: number): void;
  clear(): void;
}

export function createCallerCache(maxCount: number = accessLimits.trustedCallersCount): CallerCache {
  const trusted = new Map<string, TrustedCaller>();
  let generation = 0;
  return {
    get generation() {
      return generation;
    },
    find(digest, now) {
      const known = trusted.get(digest);
      if (known === undefined) return undefined;
      if (now < known.trustedUntil) return known.caller;
      trusted.delete(digest);
      return undefined;
    },
    remember(digest, entry, provenIn) {
      if (provenIn !== generation) return;
      if (trusted.size >= maxCount) {
        const [oldest] = trusted.keys();
        if (oldest !== undefined) trusted.delete(oldest);
      }
      trusted.set(digest, entry);
    },
    clear() {
      generation += 1;
      trusted.clear();
    },
  };
}
