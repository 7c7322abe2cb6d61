import { metricLimits } from './metric-limits.ts';

/** All values at one moment. */
export interface MetricRow {
  readonly atMs: number;
  readonly values: Float64Array;
}

export interface MetricRing {
  /** Overwrites the oldest row when all are in use. */
  add(atMs: number, fill: (values: Float64Array) => void): void;
  /** True once rows have been overwritten. */
  hasForgotten(): boolean;
  /** Oldest first. */
  rows(): readonly MetricRow[];
  /** The last row at or before this time. */
  lastBefore(atMs: number): MetricRow | undefined;
}

/** A fixed number of rows, allocated once. */
export function createMetricRing(width: number, rowsCount: number = metricLimits.ringRowsCount): MetricRing {
  let times: Float64Array | undefined;
  let cells: Float64Array | undefined;
  let addedCount = 0;

  const rowAt = (index: number): MetricRow => {
    const slot = index % rowsCount;
    return { atMs: times![slot]!, values: cells!.subarray(slot * width, (slot + 1) * width) };
  };
  const firstIndex = () => Math.max(0, addedCount - rowsCount);

  return {
    add(atMs, fill) {
      // A process that ends within a minute needs none.
      times ??= new Float64Array(rowsCount);
      cells ??= new Float64Array(rowsCount * width);
      times[addedCount % rowsCount] = atMs;
      addedCount += 1;
      fill(rowAt(addedCount - 1).values);
    },
    hasForgotten: () => addedCount > rowsCount,
    rows: () => Array.from({ length: addedCount - firstIndex() }, (_, i) => rowAt(firstIndex() + i)),
    lastBefore(atMs) {
      for (let index = addedCount - 1; index >= firstIndex(); index -= 1) {
        const row = rowAt(index);
        if (row.atMs <= atMs) return row;
      }
      return undefined;
    },
  };
}
