/** Chance that comes out the same for the same seed, so that what callers do can be played again. */
export interface Dice {
  /** From 0 up to but without 1. */
  roll(): number;
  /** A whole number from 0 up to but without `count`. */
  below(count: number): number;
  /** Undefined when there is nothing to pick. */
  pick<T>(items: readonly T[]): T | undefined;
  /** `count` of them, or all, in any order. */
  pickSome<T>(items: readonly T[], count: number): readonly T[];
}

const range = 2 ** 32;
/** An odd step visits every number of the range before it comes round. */
const step = 0x9e3779b9;

/** Mixes the bits of a counter, so that neighbours have nothing in common. */
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
