import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toTenantId } from '../../call.ts';
import { createLogFixture } from '../../log/log.ts';
import { defineCollection } from '../collection.ts';
import { createEmbeddingScheduler, type TenantCollection, type TurnOutcome } from './embedding-scheduler.ts';

const collection = defineCollection({ name: 'papers', fields: { text: 1 } });
const placeOf = (tenant: string): TenantCollection => ({ tenant: toTenantId(tenant), collection });

type Turn = (tenant: string, hasOthers: () => boolean) => TurnOutcome | Promise<TurnOutcome>;

function plant(turn: Turn) {
  const log = createLogFixture();
  const closing = new AbortController();
  const turns: string[] = [];
  const rounds = createEmbeddingScheduler({
    log,
    closing: closing.signal,
    async turn({ tenant }, hasOthers) {
      turns.push(tenant);
      return turn(tenant, hasOthers);
    },
  });
  return { rounds, turns, log, closing };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the embedding scheduler', () => {
  test('runs once, at the earliest of several requested times', async () => {
    const { rounds, turns } = plant(() => 'done');
    rounds.schedule(placeOf('a'), 1_000);
    rounds.schedule(placeOf('a'), 20);
    rounds.schedule(placeOf('a'), 20);
    await vi.advanceTimersByTimeAsync(19);
    expect(turns).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(turns).toEqual(['a']);
  });

  test('is not postponed forever by constant writes', async () => {
    const { rounds, turns } = plant(() => 'done');
    for (let i = 0; i < 10; i += 1) {
      rounds.schedule(placeOf('a'), 20);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(turns.length).toBeGreaterThanOrEqual(4);
  });

  test('logs a failure once, retries after growing pauses and logs the recovery', async () => {
    let failures = 4;
    const { rounds, turns, log } = plant(() => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      return 'done';
    });
    rounds.schedule(placeOf('a'), 0);
    const counts: number[] = [];
    for (const ms of [0, 1_000, 2_000, 4_000, 8_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(turns.length);
      // A new request does not shorten the pause.
      rounds.schedule(placeOf('a'), 0);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  test('alternates between a busy collection and others', async () => {
    let left = 3;
    const { rounds, turns } = plant(async (tenant, hasOthers) => {
      if (tenant !== 'much') return 'done';
      await new Promise((resolve) => setTimeout(resolve, 5));
      left -= 1;
      return left > 0 && hasOthers() ? 'more' : 'done';
    });
    for (const tenant of ['much', 'a', 'b']) rounds.schedule(placeOf(tenant), 0);
    await vi.advanceTimersByTimeAsync(50);
    expect(turns).toEqual(['much', 'a', 'b', 'much']);
  });

  test('checks a collection of another process again later', async () => {
    const outcomes: TurnOutcome[] = ['elsewhere', 'done'];
    const { rounds, turns } = plant(() => outcomes.shift()!);
    rounds.schedule(placeOf('a'), 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(turns).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(turns).toHaveLength(2);
  });

  test('settle waits its turn, runs as often as needed, and fails with the work', async () => {
    const outcomes: TurnOutcome[] = ['more', 'elsewhere', 'done'];
    const { rounds, turns } = plant(() => {
      const outcome = outcomes.shift();
      if (outcome === undefined) throw new Error('broken');
      return outcome;
    });
    const settled = rounds.settle(placeOf('a'));
    await vi.advanceTimersByTimeAsync(100);
    await settled;
    expect(turns).toHaveLength(3);
    await expect(rounds.settle(placeOf('a'))).rejects.toThrow('broken');
  });

  test('starts nothing after closing', async () => {
    const { rounds, turns, closing } = plant(() => 'done');
    rounds.schedule(placeOf('a'), 10);
    closing.abort(new Error('over'));
    rounds.schedule(placeOf('b'), 0);
    await vi.advanceTimersByTimeAsync(1_000);
    await rounds.idle();
    expect(turns).toEqual([]);
    await expect(rounds.settle(placeOf('a'))).rejects.toThrow('over');
  });
});
