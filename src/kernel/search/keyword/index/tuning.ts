import { searchLimits } from '../../search-limits.ts';

/** The bounds that a test makes small. */
export interface Tuning {
  readonly tailEntriesCount: number;
  readonly tailBytes: number;
  readonly mergeWidthCount: number;
  readonly smallestSegmentBytes: number;
  readonly largestSegmentBytes: number;
  readonly chunkBytes: number;
  readonly cacheBytes: number;
  readonly segmentBatchCount: number;
}

export const defaultTuning: Tuning = {
  tailEntriesCount: searchLimits.tailEntriesCount,
  tailBytes: searchLimits.tailBytes,
  mergeWidthCount: searchLimits.mergeWidthCount,
  smallestSegmentBytes: searchLimits.smallestSegmentBytes,
  largestSegmentBytes: searchLimits.largestSegmentBytes,
  chunkBytes: searchLimits.chunkBytes,
  cacheBytes: searchLimits.cacheBytes,
  segmentBatchCount: searchLimits.segmentBatchCount,
};
