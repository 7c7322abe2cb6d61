/** Keeps the best of many documents of one segment: the higher score, then the lower number. A heap with the worst on top. */
export class TopDocs {
  /** Of those that are kept, in no particular order. */
  readonly scores: number[] = [];
  readonly docs: number[] = [];
  count = 0;
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  offer(score: number, doc: number): void {
    if (this.size === 0) return;
    if (this.count < this.size) {
      this.count += 1;
      this.rise(this.count - 1, score, doc);
    } else if (this.isWorse(0, score, doc)) {
      this.sink(score, doc);
    }
  }

  private isWorse(at: number, score: number, doc: number): boolean {
    const own = this.scores[at]!;
    return own < score || (own === score && this.docs[at]! > doc);
  }

  private put(at: number, score: number, doc: number): void {
    this.scores[at] = score;
    this.docs[at] = doc;
  }

  private rise(from: number, score: number, doc: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.isWorse(parent, score, doc)) break;
      this.put(at, this.scores[parent]!, this.docs[parent]!);
      at = parent;
    }
    this.put(at, score, doc);
  }

  private sink(score: number, doc: number): void {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.count) break;
      const right = child + 1;
      if (right < this.count && this.isWorse(right, this.scores[child]!, this.docs[child]!)) child = right;
      if (!this.isWorse(child, score, doc)) break;
      this.put(at, this.scores[child]!, this.docs[child]!);
      at = child;
    }
    this.put(at, score, doc);
  }
}
