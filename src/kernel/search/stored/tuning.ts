import { searchLimits } from '../search-limits.ts';

/** The bounds that a test makes small. */
export interface Tuning {
  readonly tailEntriesCount: number;
  readonly tailBytes: number;
  readonly mergeWidthCount: number;
  readonly segmentBytesMin: number;
  readonly segmentBytesMax: number;
  readonly chunkBytes: number;
  readonly cacheBytes: number;
  readonly rebuildSegmentDocs: number;
}

export const defaultTuning: Tuning = searchLimits;
