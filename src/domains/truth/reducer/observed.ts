import type { Json } from '#kernel/json/canonical.ts';

export type Fields = Readonly<Record<string, Json>>;

/** An observation as the reducer sees it. */
export interface Observed {
  readonly id: string;
  readonly observedAt: number;
  readonly recordedAt: number;
  readonly priority: number;
  readonly specificity: number;
  readonly isCorrection: boolean;
  readonly fields: Fields;
  /** What no schema knew when it was recorded. */
  readonly rawFragments: Fields;
}
