/** The only source of the time of day. Durations are measured with `performance.now()`. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for tests that only moves when the test moves it. */
export function createManualClock(startAt = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let at = startAt;
  return {
    now: () => at,
    advance(ms) {
      at += ms;
    },
  };
}

export const toIso = (at: number): string => new Date(at).toISOString();
