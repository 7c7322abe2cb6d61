/** The shown similarity that separates relevant from irrelevant texts. */
const shownThreshold = 0.7;

export interface SimilarityScale {
  /** False for a model without a calibration set: the raw cosine is shown. */
  readonly isCalibrated: boolean;
  toShown(cosine: number): number;
  toCosine(shown: number): number;
}

const identity: SimilarityScale = {
  isCalibrated: false,
  toShown: (cosine) => cosine,
  toCosine: (shown) => shown,
};

/**
 * Cosines of different models are not comparable, so a threshold in a call would mean something else for each. The scale
 * maps 0 to 0, `relevantFrom` to 0.7 and 1 to 1, and is linear between them.
 */
export function createSimilarityScale(relevantFrom: number | undefined): SimilarityScale {
  if (relevantFrom === undefined) return identity;
  const bend = (value: number, from: number, to: number): number => {
    if (value <= 0) return value;
    return value < from ? (value * to) / from : to + ((value - from) * (1 - to)) / (1 - from);
  };
  return {
    isCalibrated: true,
    toShown: (cosine) => bend(cosine, relevantFrom, shownThreshold),
    toCosine: (shown) => bend(shown, shownThreshold, relevantFrom),
  };
}
