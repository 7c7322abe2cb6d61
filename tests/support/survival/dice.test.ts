import { expect, test } from 'vitest';
import { createDice } from './dice.ts';

const rolls = (seed: number) => {
  const dice = createDice(seed);
  return Array.from({ length: 1000 }, () => dice.below(10));
};

test('the same seed gives the same numbers, another seed gives others', () => {
  expect(rolls(1)).toEqual(rolls(1));
  expect(rolls(1)).not.toEqual(rolls(2));
});

test('all numbers are equally likely', () => {
  for (const seed of [0, 1, 2, 1000]) {
    const counts = Array.from({ length: 10 }, (_, n) => rolls(seed).filter((rolled) => rolled === n).length);
    expect(Math.min(...counts), `seed ${seed}`).toBeGreaterThan(60);
    expect(Math.max(...counts), `seed ${seed}`).toBeLessThan(140);
  }
});

test('picks several without repetition, and nothing from an empty list', () => {
  const dice = createDice(1);
  const items = ['a', 'b', 'c', 'd'];
  expect(dice.pickSome(items, 9).toSorted()).toEqual(items);
  expect(new Set(dice.pickSome(items, 3)).size).toBe(3);
  expect(dice.pick([])).toBeUndefined();
});
