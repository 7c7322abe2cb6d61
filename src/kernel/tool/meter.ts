/** Counts and times of one tool since the process began. */
export interface MethodStats {
  readonly method: string;
  readonly count: number;
  readonly errors: number;
  readonly avgMs: number;
  readonly maxMs: number;
}

export interface ToolMeter {
  /** `faultCode` undefined: it went well. Also takes names that are no tools, such as dispatcher actions. */
  record(method: string, ms: number, faultCode: string | undefined): void;
  snapshot(): readonly MethodStats[];
  /** Totals by fault code. */
  faultCounts(): ReadonlyMap<string, number>;
}

export function createToolMeter(): ToolMeter {
  const methods = new Map<string, { count: number; errors: number; totalMs: number; maxMs: number }>();
  const codes = new Map<string, number>();
  return {
    record(method, ms, faultCode) {
      let stats = methods.get(method);
      if (stats === undefined) {
        stats = { count: 0, errors: 0, totalMs: 0, maxMs: 0 };
        methods.set(method, stats);
      }
      stats.count += 1;
      stats.totalMs += ms;
      if (ms > stats.maxMs) stats.maxMs = ms;
      if (faultCode === undefined) return;
      stats.errors += 1;
      codes.set(faultCode, (codes.get(faultCode) ?? 0) + 1);
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
    faultCounts: () => codes,
  };
}
