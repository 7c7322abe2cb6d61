import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../clock/clock.ts';
import { searchLimits } from '../search-limits.ts';
import { createQueryBreaker, EmbedderResting } from './query-breaker.ts';

const { queryRetryMs, queryRetryMostMs } = searchLimits;

function openBreaker() {
  const clock = createManualClock();
  const breaker = createQueryBreaker(clock);
  let calls = 0;
  let answer = async () => 'vector';
  const ask = (isFailure = true) =>
    breaker(
      () => {
        calls += 1;
        return answer();
      },
      () => isFailure,
    );
  return {
    clock,
    ask,
    calls: () => calls,
    answers: (next: () => Promise<string>) => {
      answer = next;
    },
  };
}

const fail = async (): Promise<string> => {
  throw new Error('down');
};

describe('an embedder that failed', () => {
  test('is not asked again until the pause is over', async () => {
    const { clock, ask, calls, answers } = openBreaker();
    answers(fail);
    await expect(ask()).rejects.toThrow('down');
    for (let i = 0; i < 3; i += 1) await expect(ask()).rejects.toThrow(EmbedderResting);
    clock.advance(queryRetryMs - 1);
    await expect(ask()).rejects.toThrow(EmbedderResting);
    expect(calls()).toBe(1);
    clock.advance(1);
    answers(async () => 'vector');
    expect(await ask()).toBe('vector');
    expect(await ask()).toBe('vector');
    expect(calls()).toBe(3);
  });

  test('rests longer after each further failure, up to a limit, and starts again after a success', async () => {
    const { clock, ask, answers } = openBreaker();
    answers(fail);
    await expect(ask()).rejects.toThrow('down');
    let pause = queryRetryMs as number;
    for (let i = 0; i < 12; i += 1) {
      clock.advance(pause - 1);
      await expect(ask()).rejects.toThrow(EmbedderResting);
      clock.advance(1);
      await expect(ask()).rejects.toThrow('down');
      pause = Math.min(2 * pause, queryRetryMostMs);
    }
    expect(pause).toBe(queryRetryMostMs);
    clock.advance(pause);
    answers(async () => 'vector');
    await ask();
    answers(fail);
    await expect(ask()).rejects.toThrow('down');
    clock.advance(queryRetryMs);
    await expect(ask()).rejects.toThrow('down');
  });

  test('is tried by one query, while the others go on without it', async () => {
    const { clock, ask, calls, answers } = openBreaker();
    answers(fail);
    await expect(ask()).rejects.toThrow('down');
    clock.advance(queryRetryMs);
    const slow = Promise.withResolvers<string>();
    answers(() => slow.promise);
    const trial = ask();
    await expect(ask()).rejects.toThrow(EmbedderResting);
    slow.resolve('vector');
    expect(await trial).toBe('vector');
    expect(await ask()).toBe('vector');
    expect(calls()).toBe(3);
  });

  test('queries that began together count as one failure', async () => {
    const { clock, ask, answers } = openBreaker();
    answers(fail);
    await Promise.allSettled([ask(), ask(), ask()]);
    clock.advance(queryRetryMs);
    answers(async () => 'vector');
    expect(await ask()).toBe('vector');
  });

  test('a query that its caller ended, or a refused text, is not a failure', async () => {
    const { ask, calls, answers } = openBreaker();
    answers(fail);
    for (let i = 0; i < 3; i += 1) await expect(ask(false)).rejects.toThrow('down');
    expect(calls()).toBe(3);
  });

  test('a trial that its caller ended leaves the next query to try', async () => {
    const { clock, ask, calls, answers } = openBreaker();
    answers(fail);
    await expect(ask()).rejects.toThrow('down');
    clock.advance(queryRetryMs);
    await expect(ask(false)).rejects.toThrow('down');
    answers(async () => 'vector');
    expect(await ask()).toBe('vector');
    expect(calls()).toBe(3);
  });
});
