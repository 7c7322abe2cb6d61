/**
 * Keeps the best of a stream of numbered items, by higher score, then lower number. A heap with the worst on top. A class
 * and not a closure: the loops that feed it run over all documents, and V8 inlines only functions that it sees again.
 */
export class BestScores {
  /** In no particular order. */
  readonly scores: number[] = [];
  readonly numbers: number[] = [];
  count = 0;
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  /** An item with a lower score is not kept. */
  get least(): number {
    if (this.size === 0) return Number.POSITIVE_INFINITY;
    return this.count < this.size ? Number.NEGATIVE_INFINITY : this.scores[0]!;
  }

  offer(score: number, number: number): void {
    if (this.size === 0) return;
    if (this.count < this.size) {
      this.count += 1;
      this.rise(this.count - 1, score, number);
    } else if (this.isWorse(0, score, number)) {
      this.sink(score, number);
    }
  }

  private isWorse(at: number, score: number, number: number): boolean {
    const own = this.scores[at]!;
    return own < score || (own === score && this.numbers[at]! > number);
  }

  private put(at: number, score: number, number: number): void {
    this.scores[at] = score;
    this.numbers[at] = number;
  }

  private rise(from: number, score: number, number: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.isWorse(parent, score, number)) break;
      this.put(at, this.scores[parent]!, this.numbers[parent]!);
      at = parent;
    }
    this.put(at, score, number);
  }

  private sink(score: number, number: number): void {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.count) break;
      const right = child + 1;
      if (right < this.count && this.isWorse(right, this.scores[child]!, this.numbers[child]!)) child = right;
      if (!this.isWorse(child, score, number)) break;
      this.put(at, this.scores[child]!, this.numbers[child]!);
      at = child;
    }
    this.put(at, score, number);
  }
}
