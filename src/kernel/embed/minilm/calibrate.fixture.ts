import { type CalibrationPair, irrelevantPairs, relevantPairs } from './calibration-pairs.fixture.ts';

export type EmbedAll = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** The cosine of each pair; vectors have length 1. */
export async function cosinesOf(pairs: readonly CalibrationPair[], embed: EmbedAll): Promise<readonly number[]> {
  const vectors = await embed(pairs.flat());
  return pairs.map((_, i) => {
    const text = vectors[i * 2 + 1]!;
    return vectors[i * 2]!.reduce((sum, value, at) => sum + value * text[at]!, 0);
  });
}

/** The middle of the range in which as large a share of relevant pairs is below as of irrelevant pairs above. */
export function equalErrorThreshold(relevant: readonly number[], irrelevant: readonly number[]): number {
  const shareOf = (cosines: readonly number[], isWrong: (cosine: number) => boolean) =>
    cosines.filter(isWrong).length / cosines.length;
  const sorted = [...relevant, ...irrelevant].sort((a, b) => a - b);
  const ranges = sorted.slice(1).map((to, i) => {
    const middle = (sorted[i]! + to) / 2;
    const missed = shareOf(relevant, (cosine) => cosine < middle);
    const wrong = shareOf(irrelevant, (cosine) => cosine >= middle);
    return { from: sorted[i]!, to, gap: Math.abs(missed - wrong) };
  });
  const smallest = Math.min(...ranges.map(({ gap }) => gap));
  const best = ranges.filter(({ gap }) => gap === smallest);
  return (best[0]!.from + best.at(-1)!.to) / 2;
}

export async function calibrate(embed: EmbedAll): Promise<number> {
  const threshold = equalErrorThreshold(await cosinesOf(relevantPairs, embed), await cosinesOf(irrelevantPairs, embed));
  return Math.round(threshold * 1_000) / 1_000;
}
