/** How many letters must be changed, added, dropped or swapped with their neighbour; `max + 1` for all that is further. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (!isSame && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforeLast[j - 2]! + 1);
      }
      row.push(distance);
      least = Math.min(least, distance);
    }
    if (least > max) return max + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length]!, max + 1);
}
