/** Seeded random numbers, so that a run can be repeated. */
export interface Dice {
  /** From 0 to below 1. */
  roll(): number;
  /** An integer from 0 to below `count`. */
  below(count: number): number;
  /** Undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined;
  /** `count` items, or all of them, in random order. */
  pickSome<T>(items: readonly T[], count: number): readonly T[];
}

const range = 2 ** 32;
/** An odd step visits every number of the range before it repeats. */
const step = 0x9e3779b9;

/** Mixes the bits of a counter, so that consecutive values are unrelated. */
function mix(counter: number): number {
  let bits = counter >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

export function createDice(seed: number): Dice {
  let counter = mix(seed + 1);
  const roll = (): number => {
    counter = (counter + step) >>> 0;
    return mix(counter) / range;
  };
  const below = (count: number): number => Math.floor(roll() * count);
  return {
    roll,
    below,
    pick: (items) => items[below(items.length)],
    pickSome: (items, count) =>
      items
        .map((item) => ({ item, at: roll() }))
        .toSorted((a, b) => a.at - b.at)
        .slice(0, count)
        .map(({ item }) => item),
  };
}
