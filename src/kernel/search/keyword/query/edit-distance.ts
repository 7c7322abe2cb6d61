/** How far a word (bytes [from, to)) is from the one asked for; `max + 1` for all that is further than `max`. */
export type DistanceTo = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * Bytes to change, add, drop or swap with their neighbour. Looks only at the diagonal band in which a distance up to `max`
 * can lie, and allocates nothing a word: a dictionary has a hundred thousand.
 */
export function createDistance(asked: Uint8Array, max: number): DistanceTo {
  const length = asked.length;
  let beforeLast = new Int32Array(length + 1);
  let last = new Int32Array(length + 1);
  let row = new Int32Array(length + 1);

  return (bytes, from, to) => {
    const otherLength = to - from;
    if (Math.abs(otherLength - length) > max) return max + 1;
    for (let j = 0; j <= length; j += 1) last[j] = j;
    for (let i = 1; i <= otherLength; i += 1) {
      const low = Math.max(1, i - max);
      const high = Math.min(length, i + max);
      row.fill(max + 1);
      if (low === 1) row[0] = i;
      let least = row[0]!;
      const byte = bytes[from + i - 1]!;
      for (let j = low; j <= high; j += 1) {
        const own = asked[j - 1]!;
        let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (byte === own ? 0 : 1));
        if (i > 1 && j > 1 && byte === asked[j - 2] && bytes[from + i - 2] === own) {
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
