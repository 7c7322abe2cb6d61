import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BestScores } from './best-scores.ts';

test('keeps the same items as sorting, and of equal scores the lower numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 })), fc.integer({ min: 0, max: 12 }), (scores, size) => {
      const best = new BestScores(size);
      for (const [number, score] of scores.entries()) best.offer(score, number);
      const sorted = [...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, size);
      expect([...best.numbers].sort((a, b) => a - b)).toEqual(sorted.toSorted((a, b) => a - b));
      expect(best.numbers.map((number) => scores[number])).toEqual(best.scores);
      expect(best.count).toBe(sorted.length);
    }),
  );
});

test('names the score that a new item must reach once it is full', () => {
  const best = new BestScores(2);
  const leasts = [5, 3, 4, 1, 9].map((score, number) => {
    best.offer(score, number);
    return best.least;
  });
  expect(leasts).toEqual([Number.NEGATIVE_INFINITY, 3, 4, 4, 5]);
  expect(new BestScores(0).least).toBe(Number.POSITIVE_INFINITY);
});
