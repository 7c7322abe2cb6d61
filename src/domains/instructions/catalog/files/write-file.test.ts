import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionLimits } from '../../instruction-limits.ts';
import { backoffMs } from './file-errors.ts';
import { retryWhileLocked } from './write-file.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** Fails that often before it succeeds. */
function refusedTimes(times: number, code: string) {
  let triedCount = 0;
  return {
    tried: () => triedCount,
    work() {
      triedCount += 1;
      if (triedCount <= times) throw failure(code);
    },
  };
}

describe('retryWhileLocked', () => {
  it.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])('retries %i times and no more', async (writeRetries, tries) => {
    const inTime = refusedTimes(writeRetries, 'EBUSY');
    await retryWhileLocked(inTime.work, { writeRetries, writeBackoffMs: 0 });
    expect(inTime.tried()).toBe(tries);
    const tooLate = refusedTimes(writeRetries + 1, 'EBUSY');
    await expect(retryWhileLocked(tooLate.work, { writeRetries, writeBackoffMs: 0 })).rejects.toThrow('EBUSY');
    expect(tooLate.tried()).toBe(tries);
  });

  it('does not retry when the disk is full', async () => {
    const full = refusedTimes(1, 'ENOSPC');
    await expect(retryWhileLocked(full.work, { writeRetries: 5, writeBackoffMs: 0 })).rejects.toThrow('ENOSPC');
    expect(full.tried()).toBe(1);
  });

  it('doubles the wait up to a limit, unless the first wait is longer', () => {
    expect([0, 1, 2, 3].map((tried) => backoffMs(8, tried))).toEqual([8, 16, 32, 64]);
    expect([0, 1, 20].map((tried) => backoffMs(5_000, tried))).toEqual([5_000, 5_000, 5_000]);
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(20), (base, tried) => {
        expect(backoffMs(base, tried)).toBeLessThanOrEqual(Math.max(base, instructionLimits.retryWaitMs));
        expect(backoffMs(base, tried + 1)).toBeGreaterThanOrEqual(backoffMs(base, tried));
      }),
    );
  });
});
