/** Inserts that move more marks than this are left to a sort. */
const insertedCount = 64;

/**
 * The matches of query terms in a text, in text order, the longer first. Stored in columns that are reused, because a
 * search marks many texts.
 */
export class Marks {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly terms: number[] = [];
  count = 0;
  private isOrdered = true;
  private readonly termCounts: number[] = [];

  clear(): void {
    this.count = 0;
    this.isOrdered = true;
  }

  /** Inserts a few marks in place, since most arrive in order; more are sorted on first use. */
  add(start: number, end: number, term: number): void {
    let at = this.count;
    this.count += 1;
    for (; at > 0 && this.isBehind(at - 1, start, end); at -= 1) {
      if (this.count > insertedCount) {
        this.isOrdered = false;
        break;
      }
      this.put(at, this.starts[at - 1]!, this.ends[at - 1]!, this.terms[at - 1]!);
    }
    this.put(at, start, end, term);
  }

  private put(at: number, start: number, end: number, term: number): void {
    this.starts[at] = start;
    this.ends[at] = end;
    this.terms[at] = term;
  }

  private isBehind(at: number, start: number, end: number): boolean {
    return this.starts[at]! > start || (this.starts[at] === start && this.ends[at]! < end);
  }

  private order(): void {
    const { starts, ends, terms, count } = this;
    const sorted = Array.from({ length: count }, (_, i) => [starts[i]!, ends[i]!, terms[i]!] as const);
    sorted.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    for (const [at, mark] of sorted.entries()) this.put(at, ...mark);
    this.isOrdered = true;
  }

  /** Where the last of the marks [from, to) ends. */
  endOf(from: number, to: number): number {
    let end = this.ends[from]!;
    for (let i = from + 1; i < to; i += 1) if (this.ends[i]! > end) end = this.ends[i]!;
    return end;
  }

  /** The marks [from, to) within `chars` characters that match the most terms, then are the most, then the first. */
  bestWindow(chars: number): readonly [from: number, to: number] {
    if (!this.isOrdered) this.order();
    const { starts, ends, terms, count, termCounts } = this;
    let bestFrom = 0;
    let bestTo = 1;
    let bestWorth = 0;
    let termsCount = 0;
    for (let i = 0; i < count; i += 1) termCounts[terms[i]!] = 0;
    for (let from = 0, to = 0; from < count; from += 1) {
      // At least the first mark, however long.
      for (; to < count && (to === from || ends[to]! - starts[from]! <= chars); to += 1) {
        const term = terms[to]!;
        termCounts[term]! += 1;
        if (termCounts[term] === 1) termsCount += 1;
      }
      const worth = termsCount * count + to - from;
      if (worth > bestWorth) {
        bestWorth = worth;
        bestFrom = from;
        bestTo = to;
      }
      const term = terms[from]!;
      termCounts[term]! -= 1;
      if (termCounts[term] === 0) termsCount -= 1;
    }
    return [bestFrom, bestTo];
  }
}
