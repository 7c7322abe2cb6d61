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
}

interface MethodRecord {
  count: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  readonly faults: Map<string, number>;
}

const add = (counts: Map<string, number>, code: string, count: number): void =>
  void counts.set(code, (counts.get(code) ?? 0) + count);

export function createToolMeter(): ToolMeter {
  const methods = new Map<string, MethodRecord>();
  return {
    record(method, ms, faultCode) {
      let stats = methods.get(method);
      if (stats === undefined) {
        stats = { count: 0, errors: 0, totalMs: 0, maxMs: 0, faults: new Map() };
        methods.set(method, stats);
      }
      stats.count += 1;
      stats.totalMs += ms;
      if (ms > stats.maxMs) stats.maxMs = ms;
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
  };
}
