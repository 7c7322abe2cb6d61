/**
 * The stretches of a text that answer units of a query, in the order of the text; of those that begin together the longer
 * first. In columns that are used again and again: a search marks many texts, each for a moment.
 */
export class Marks {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly units: number[] = [];
  count = 0;
  private readonly unitCounts: number[] = [];

  clear(): void {
    this.count = 0;
  }

  /** Most come in order already, so that finding the place costs next to nothing. */
  add(start: number, end: number, unit: number): void {
    const { starts, ends, units } = this;
    let at = this.count;
    for (; at > 0; at -= 1) {
      const before = starts[at - 1]!;
      if (before < start || (before === start && ends[at - 1]! >= end)) break;
      starts[at] = before;
      ends[at] = ends[at - 1]!;
      units[at] = units[at - 1]!;
    }
    starts[at] = start;
    ends[at] = end;
    units[at] = unit;
    this.count += 1;
  }

  /** Where the last of the marks [from, to) ends. */
  endOf(from: number, to: number): number {
    let end = this.ends[from]!;
    for (let i = from + 1; i < to; i += 1) if (this.ends[i]! > end) end = this.ends[i]!;
    return end;
  }

  /** The marks [from, to) that stand within so many characters and answer the most units, then are the most, then the first. */
  bestWindow(chars: number): readonly [from: number, to: number] {
    const { starts, ends, units, count, unitCounts } = this;
    let bestFrom = 0;
    let bestTo = 1;
    let bestWorth = 0;
    let unitsCount = 0;
    for (let i = 0; i < count; i += 1) unitCounts[units[i]!] = 0;
    for (let from = 0, to = 0; from < count; from += 1) {
      // At least the first one, however long it is.
      for (; to < count && (to === from || ends[to]! - starts[from]! <= chars); to += 1) {
        const unit = units[to]!;
        unitCounts[unit]! += 1;
        if (unitCounts[unit] === 1) unitsCount += 1;
      }
      const worth = unitsCount * count + to - from;
      if (worth > bestWorth) {
        bestWorth = worth;
        bestFrom = from;
        bestTo = to;
      }
      const unit = units[from]!;
      unitCounts[unit]! -= 1;
      if (unitCounts[unit] === 0) unitsCount -= 1;
    }
    return [bestFrom, bestTo];
  }
}
