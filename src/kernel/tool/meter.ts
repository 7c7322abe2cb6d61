/** Upper limits of the duration buckets in milliseconds; the last bucket has none. */
export const durationBoundsMs = [
  1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
] as const;

/** Durations of some tools since the process started. */
export interface DurationHistogram {
  /** Calls per bucket, not cumulative. */
  readonly counts: Float64Array;
  readonly sumMs: number;
}

/** Counts and times of one tool since the process started. */
export interface MethodStats {
  readonly method: string;
  readonly count: number;
  readonly errors: number;
  readonly avgMs: number;
  readonly maxMs: number;
}

export interface ToolMeter {
  /** `faultCode` is undefined after a success. */
  record(method: string, ms: number, faultCode: string | undefined): void;
  snapshot(): readonly MethodStats[];
  /** Totals by fault code, of all methods or of those whose name starts with the prefix. */
  faultCounts(prefix?: string): ReadonlyMap<string, number>;
  /** Durations of these methods, of failed calls too. */
  durations(methods: readonly string[]): DurationHistogram;
}

interface MethodRecord {
  count: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  readonly faults: Map<string, number>;
  readonly buckets: Float64Array;
}

const bucketsCount = durationBoundsMs.length + 1;

function bucketOf(ms: number): number {
  let at = 0;
  while (at < durationBoundsMs.length && ms > durationBoundsMs[at]!) at += 1;
  return at;
}

const add = (counts: Map<string, number>, code: string, count: number): void =>
  void counts.set(code, (counts.get(code) ?? 0) + count);

export function createToolMeter(): ToolMeter {
  const methods = new Map<string, MethodRecord>();
  return {
    record(method, ms, faultCode) {
      let stats = methods.get(method);
      if (stats === undefined) {
        stats = {
          count: 0,
          errors: 0,
          totalMs: 0,
          maxMs: 0,
          faults: new Map(),
          buckets: new Float64Array(bucketsCount),
        };
        methods.set(method, stats);
      }
      stats.count += 1;
      stats.totalMs += ms;
      if (ms > stats.maxMs) stats.maxMs = ms;
      stats.buckets[bucketOf(ms)]! += 1;
      if (faultCode === undefined) return;
      stats.errors += 1;
      add(stats.faults, faultCode, 1);
    },
    snapshot: () =>
      [...methods]
        .map(([method, { count, errors, totalMs, maxMs }]) => ({
          method,
          count,
          errors,
          avgMs: totalMs / count,
          maxMs,
        }))
        .sort((a, b) => (a.method < b.method ? -1 : 1)),
    faultCounts(prefix = '') {
      const counts = new Map<string, number>();
      for (const [method, { faults }] of methods) {
        if (method.startsWith(prefix)) for (const [code, count] of faults) add(counts, code, count);
      }
      return counts;
    },
    durations(names) {
      const counts = new Float64Array(bucketsCount);
      let sumMs = 0;
      for (const name of names) {
        const stats = methods.get(name);
        if (stats === undefined) continue;
        sumMs += stats.totalMs;
        for (let at = 0; at < bucketsCount; at += 1) counts[at]! += stats.buckets[at]!;
      }
      return { counts, sumMs };
    },
  };
}
