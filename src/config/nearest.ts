/** The number of letters to insert, delete, change or swap with a neighbour to turn one word into the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length]!;
}

/** A longer text is not a typo, and the comparison takes quadratic time. */
const comparedChars = 64;

/**
 * The candidate with the smallest edit distance, the first of several. One that begins with the word counts as nearer.
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
