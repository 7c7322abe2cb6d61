/** The best so many of a stream of scored places, kept in a heap whose worst stands first. */
export interface BestRows {
  /** What a newcomer must be above. */
  readonly threshold: number;
  offer(score: number, place: number): void;
  places(): readonly number[];
}

export function createBestRows(count: number, lowest: number): BestRows {
  const scores: number[] = [];
  const places: number[] = [];
  let threshold = lowest;

  function swap(a: number, b: number): void {
    [scores[a], scores[b]] = [scores[b]!, scores[a]!];
    [places[a], places[b]] = [places[b]!, places[a]!];
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (scores[parent]! <= scores[at]!) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      let least = at;
      const left = 2 * at + 1;
      if (left < scores.length && scores[left]! < scores[least]!) least = left;
      if (left + 1 < scores.length && scores[left + 1]! < scores[least]!) least = left + 1;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  }

  return {
    get threshold() {
      return threshold;
    },
    offer(score, place) {
      if (score <= threshold) return;
      if (scores.length < count) {
        scores.push(score);
        places.push(place);
        rise(scores.length - 1);
      } else if (count > 0) {
        scores[0] = score;
        places[0] = place;
        sink();
      }
      if (scores.length === count) threshold = scores[0] ?? Number.POSITIVE_INFINITY;
    },
    places: () => places,
  };
}
