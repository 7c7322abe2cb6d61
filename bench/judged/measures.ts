/** Measures of one ranking, where several titles may be equally relevant. */
export interface Measures {
  /** 1 if all relevant titles come first. */
  readonly ndcg10: number;
  /** The share of questions with a relevant answer among the first five. */
  readonly recall5: number;
}

export interface Judged {
  readonly right: readonly string[];
  /** Titles, best first. */
  readonly found: readonly string[];
}

function gainOf({ right, found }: Judged): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const seen = new Set<string>();
  let sum = 0;
  found.slice(0, 10).forEach((title, rank) => {
    if (!right.includes(title) || seen.has(title)) return;
    seen.add(title);
    sum += gain(rank);
  });
  const ideal = right.slice(0, 10).reduce((all, _, rank) => all + gain(rank), 0);
  return sum / ideal;
}

/** The mean share of the relevant titles among the first. */
export const recallAt = (judged: readonly Judged[], count: number): number =>
  judged.reduce((sum, { right, found }) => {
    const first = found.slice(0, count);
    return sum + right.filter((title) => first.includes(title)).length / right.length;
  }, 0) / judged.length;

export function measure(judged: readonly Judged[]): Measures {
  const mean = (of: (one: Judged) => number) => judged.reduce((sum, one) => sum + of(one), 0) / judged.length;
  return {
    ndcg10: mean(gainOf),
    recall5: mean(({ right, found }) => Number(found.slice(0, 5).some((title) => right.includes(title)))),
  };
}
