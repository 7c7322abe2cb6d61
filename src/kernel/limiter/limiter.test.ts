import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../clock/clock.ts';
import { createLimiter, openLimiter } from './limiter.ts';

const minute = { limit: 3, windowMs: 60_000 };

describe('the limiter', () => {
  it('admits exactly the limit in a window, and returns the remaining whole seconds', () => {
    const clock = createManualClock(0);
    const limiter = createLimiter(clock);
    expect([1, 2, 3].map(() => limiter.take('a', minute))).toEqual([0, 0, 0]);
    expect(limiter.take('a', minute)).toBe(60);
    clock.advance(59_001);
    expect(limiter.take('a', minute)).toBe(1);
    clock.advance(998);
    expect(limiter.take('a', minute)).toBe(1);
    clock.advance(1);
    expect(limiter.take('a', minute)).toBe(0);
  });

  it('aligns windows to the clock: the full limit at the end of one and again at the start of the next', () => {
    const clock = createManualClock(59_999);
    const limiter = createLimiter(clock);
    expect([1, 2, 3, 4].map(() => limiter.take('a', minute))).toEqual([0, 0, 0, 1]);
    clock.advance(1);
    expect([1, 2, 3, 4].map(() => limiter.take('a', minute))).toEqual([0, 0, 0, 60]);
  });

  it('counts each key separately', () => {
    const limiter = createLimiter(createManualClock());
    const once = { limit: 1, windowMs: 1_000 };
    expect(['a', 'b', 'a', 'b'].map((key) => limiter.take(key, once) > 0)).toEqual([false, false, true, true]);
  });

  it('admits none with a limit of zero', () => {
    expect(createLimiter(createManualClock(0)).take('a', { limit: 0, windowMs: 1_000 })).toBe(1);
  });

  it('never admits more than the limit in any window', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400), fc.constantFrom('a', 'b')), { maxLength: 200 }), (steps) => {
        const clock = createManualClock(0);
        const limiter = createLimiter(clock);
        const admitted = new Map<string, number>();
        for (const [ms, key] of steps) {
          clock.advance(ms);
          const window = `${key} ${Math.floor(clock.now() / 1_000)}`;
          const count = admitted.get(window) ?? 0;
          const waitS = limiter.take(key, { limit: 3, windowMs: 1_000 });
          expect(waitS === 0).toBe(count < 3);
          if (waitS === 0) admitted.set(window, count + 1);
        }
      }),
    );
  });

  it('keeps open windows when it sweeps, at a constant cost per call', () => {
    const clock = createManualClock(0);
    const limiter = createLimiter(clock);
    const once = { limit: 1, windowMs: 60_000 };
    const meet = (from: number, count: number) => {
      for (let i = from; i < from + count; i += 1) limiter.take(`user-${i}`, once);
    };
    // Sweeping all keys for each new one would be 10^11 steps: the test would time out.
    meet(0, 400_000);
    expect(limiter.take('user-0', once)).toBe(60);
    expect(limiter.take('user-399999', once)).toBe(60);
    clock.advance(60_000);
    expect(limiter.take('user-0', once)).toBe(0);
  });

  it('admits everything when open', () => {
    for (let i = 0; i < 10; i += 1) expect(openLimiter.take('a', { limit: 0, windowMs: 1 })).toBe(0);
  });
});
