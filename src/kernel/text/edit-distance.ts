/** The distance of the word in `chars` from `from` up to `to`; `max + 1` for every word that is further away than `max`. */
type DistanceTo = (chars: ArrayLike<number>, from: number, to: number) => number;

/**
 * Counts characters to change, add, drop or swap with their neighbour. Computes only the diagonal band in which a distance
 * up to `max` can lie, and allocates nothing per word: a dictionary has a hundred thousand.
 */
export function createDistance(word: ArrayLike<number>, max: number): DistanceTo {
  const { length } = word;
  let beforeLast = new Int32Array(length + 1);
  let last = new Int32Array(length + 1);
  let row = new Int32Array(length + 1);

  return (chars, from, to) => {
    const otherLength = to - from;
    if (Math.abs(otherLength - length) > max) return max + 1;
    for (let j = 0; j <= length; j += 1) last[j] = j;
    for (let i = 1; i <= otherLength; i += 1) {
      const low = Math.max(1, i - max);
      const high = Math.min(length, i + max);
      row.fill(max + 1);
      if (low === 1) row[0] = i;
      let least = row[0]!;
      const char = chars[from + i - 1]!;
      for (let j = low; j <= high; j += 1) {
        const own = word[j - 1]!;
        let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (char === own ? 0 : 1));
        if (i > 1 && j > 1 && char === word[j - 2] && chars[from + i - 2] === own) {
          distance = Math.min(distance, beforeLast[j - 2]! + 1);
        }
        row[j] = distance;
        if (distance < least) least = distance;
      }
      if (least > max) return max + 1;
      [beforeLast, last, row] = [last, row, beforeLast];
    }
    return Math.min(last[length]!, max + 1);
  };
}

const toCodes = (text: string): readonly number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

export function editDistance(from: string, to: string): number {
  const max = Math.max(from.length, to.length);
  return createDistance(toCodes(from), max)(toCodes(to), 0, to.length);
}

/** A longer text is not a typing error, and comparing it would cost its length squared. */
const comparedChars = 64;

/**
 * The candidate with the smallest edit distance; the first of several. A candidate that begins with the word is nearer than
 * one that does not.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.slice(0, comparedChars).toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const distance =
      editDistance(wanted, known) - (wanted.length > 2 && known.startsWith(wanted) ? known.length - wanted.length : 0);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** An edit for three characters, so that a misspelled name is near and another word is not. */
const isNear = (distance: number, word: string, other: string): boolean =>
  distance <= Math.ceil(Math.min(word.length - 1, other.length - 1, comparedChars) / 3);

/** The nearest candidate, if it is probably what was meant: misspelled, begun, or one with that word in its name. */
export function findMeant(word: string, candidates: readonly string[]): string | undefined {
  const meant = nearest(word, candidates);
  const wanted = word.slice(0, comparedChars).toLowerCase();
  if (meant !== undefined) {
    const known = meant.toLowerCase();
    if (wanted.length > 2 && known.startsWith(wanted)) return meant;
    if (isNear(editDistance(wanted, known), wanted, known)) return meant;
  }
  const [first] = nearestNames(word, candidates, 1);
  return first;
}

const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, comparedChars)
    .replace(/[A-Z]/g, ' $&')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** One typing error in a word of some length. */
const isNearWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) > 3 && Math.abs(a.length - b.length) < 2 && editDistance(a, b) === 1);

/**
 * The names that share most words with this one, also misspelled ones; of those, the ones with the smallest edit distance.
 * Empty if none is near.
 */
export function nearestNames(name: string, candidates: readonly string[], count: number): readonly string[] {
  const wanted = wordsOf(name);
  const word = name.slice(0, comparedChars).toLowerCase();
  return candidates
    .map((candidate) => ({
      candidate,
      shared: wordsOf(candidate).filter((part) => wanted.some((one) => isNearWord(one, part))).length,
      distance: editDistance(word, candidate.toLowerCase()),
    }))
    .filter(({ candidate, shared, distance }) => shared > 0 || isNear(distance, word, candidate))
    .toSorted((a, b) => b.shared - a.shared || a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
