import type { Clock } from '../clock/clock.ts';

export interface Limiter {
  /**
   * Counts one use of `key` in its fixed window. Returns 0 if admitted, else the whole seconds until the window ends.
   */
  take(key: string, rate: { readonly limit: number; readonly windowMs: number }): number;
}

/** Admits everything: stdio, and `rateLimits` switched off. */
export const openLimiter: Limiter = { take: () => 0 };

const sweepFirstAtCount = 10_000;

/** Fixed windows aligned to the clock: exact at the edge, one small record per key, swept when there are many. */
export function createLimiter(clock: Clock): Limiter {
  const windows = new Map<string, { endsAt: number; count: number }>();
  let sweepAtCount = sweepFirstAtCount;

  /** The next sweep waits until the number of keys has doubled, so its cost per call is constant. */
  function sweep(now: number): void {
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
    sweepAtCount = Math.max(sweepFirstAtCount, windows.size * 2);
  }

  return {
    take(key, { limit, windowMs }) {
      const now = clock.now();
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= now) {
        if (windows.size >= sweepAtCount) sweep(now);
        window = { endsAt: now - (now % windowMs) + windowMs, count: 0 };
        windows.set(key, window);
      }
      if (window.count >= limit) return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
      window.count += 1;
      return 0;
    },
  };
}
