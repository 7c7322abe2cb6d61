import type { Clock } from '#kernel/clock/clock.ts';
import { durationBoundsMs, type ToolMeter } from '#kernel/tool/meter.ts';
import { metricLimits } from './metric-limits.ts';
import type { Labels, MetricKind } from './metric-query.ts';
import { createMetricRing, type MetricRow } from './metric-ring.ts';

/** Tools that add something to the memory of facts. */
const uploadTools = ['upload_file', 'store_record', 'submit_payload'];
const searchTools = ['retrieve_records', 'retrieve_entities'];
const extractionTool = 'upload_file';
const extractionCodes = ['ANALYSIS_FAILED', 'UNSUPPORTED_FILE_TYPE'];

/** One series: its labels and its first place in a row. A histogram has its sum there, and then its buckets. */
export interface OwnSeries {
  readonly labels: Labels;
  readonly place: number;
}

export interface OwnMetric {
  readonly name: string;
  readonly help: string;
  readonly kind: MetricKind;
  readonly label?: string;
  readonly series: readonly OwnSeries[];
}

const bucketsCount = durationBoundsMs.length + 1;
const places = {
  uploads: 0,
  searches: 1 + bucketsCount,
  uploaded: 2 * (1 + bucketsCount),
  extraction: 2 * (1 + bucketsCount) + 2,
  calls: 2 * (1 + bucketsCount) + 2 + extractionCodes.length,
} as const;
const errorsPlace = places.calls + 1;
const ratePlace = places.calls + 2;
const orphansPlace = places.calls + 3;
const poolPlace = places.calls + 4;
const rowWidth = places.calls + 5;

const single = (place: number): readonly OwnSeries[] => [{ labels: {}, place }];

/** The metrics of the document (section 3.13). */
export const ownMetrics: readonly OwnMetric[] = [
  {
    name: 'neotoma_record_upload_duration_ms',
    help: 'Record upload duration in milliseconds: upload_file, store_record and submit_payload.',
    kind: 'histogram',
    series: single(places.uploads),
  },
  {
    name: 'neotoma_record_upload_total',
    help: 'Record uploads by status, success or error.',
    kind: 'counter',
    label: 'status',
    series: ['success', 'error'].map((status, i) => ({ labels: { status }, place: places.uploaded + i })),
  },
  {
    name: 'neotoma_search_duration_ms',
    help: 'Duration of retrieve_records and retrieve_entities in milliseconds.',
    kind: 'histogram',
    series: single(places.searches),
  },
  {
    name: 'neotoma_extraction_errors_total',
    help: 'Uploaded files whose content could not be read, by error code.',
    kind: 'counter',
    label: 'error_code',
    series: extractionCodes.map((error_code, i) => ({ labels: { error_code }, place: places.extraction + i })),
  },
  {
    name: 'neotoma_mcp_error_rate',
    help: 'Share of calls that ended in an error, 0 to 1, over five minutes.',
    kind: 'gauge',
    series: single(ratePlace),
  },
  {
    name: 'neotoma_graph_orphan_nodes_total',
    help: 'Entities without a relationship; estimated from a sample in a large store, and refreshed every few minutes.',
    kind: 'gauge',
    series: single(orphansPlace),
  },
  {
    name: 'neotoma_db_connection_pool_usage',
    help: 'Share of the database connections in use, 0 to 1. Always 0 with SQLite, which has no pool.',
    kind: 'gauge',
    series: single(poolPlace),
  },
];

export interface NeotomaMetricsDeps {
  readonly meter: Pick<ToolMeter, 'snapshot' | 'faultCounts' | 'durations'>;
  readonly clock: Clock;
  /** Tools that only pass a call on. The inner call counts. */
  readonly forwarding: ReadonlySet<string>;
  /** Undefined if the store was not used yet. */
  readonly orphanNodes: () => Promise<number | undefined>;
  readonly poolUsage: () => Promise<number | undefined>;
}

export type NeotomaMetrics = ReturnType<typeof createNeotomaMetrics>;

/** Counts come from the meter of all calls, so that none of them costs a call anything. */
export function createNeotomaMetrics({ meter, clock, forwarding, orphanNodes, poolUsage }: NeotomaMetricsDeps) {
  const startedAtMs = clock.now();
  const ring = createMetricRing(rowWidth);
  let timer: NodeJS.Timeout | undefined;

  function fillDurations(values: Float64Array, place: number, tools: readonly string[]): void {
    const { counts, sumMs } = meter.durations(tools);
    values[place] = sumMs;
    values.set(counts, place + 1);
  }

  function fillCounts(values: Float64Array): void {
    let [calls, errors, uploads, failedUploads] = [0, 0, 0, 0];
    for (const stats of meter.snapshot()) {
      if (forwarding.has(stats.method)) continue;
      calls += stats.count;
      errors += stats.errors;
      if (!uploadTools.includes(stats.method)) continue;
      uploads += stats.count - stats.errors;
      failedUploads += stats.errors;
    }
    values.set([uploads, failedUploads], places.uploaded);
    values.set([calls, errors], places.calls);
    const codes = meter.faultCounts(extractionTool);
    extractionCodes.forEach((code, i) => {
      values[places.extraction + i] = codes.get(code) ?? 0;
    });
  }

  /** Compared with five minutes ago, or with the start of the process. */
  function errorRate(values: Float64Array): number {
    const before = ring.lastBefore(clock.now() - metricLimits.errorRateMs)?.values;
    const calls = values[places.calls]! - (before?.[places.calls] ?? 0);
    return calls === 0 ? 0 : (values[errorsPlace]! - (before?.[errorsPlace] ?? 0)) / calls;
  }

  async function read(): Promise<MetricRow> {
    const [orphans = Number.NaN, pool = Number.NaN] = await Promise.all([orphanNodes(), poolUsage()]);
    const values = new Float64Array(rowWidth);
    fillDurations(values, places.uploads, uploadTools);
    fillDurations(values, places.searches, searchTools);
    fillCounts(values);
    values[ratePlace] = errorRate(values);
    values[orphansPlace] = orphans;
    values[poolPlace] = pool;
    return { atMs: clock.now(), values };
  }

  async function record(): Promise<void> {
    const { atMs, values } = await read();
    ring.add(atMs, (row) => row.set(values));
  }

  const readSeries = (series: readonly OwnSeries[], values: Float64Array) =>
    new Map(
      series
        .map(({ labels, place }) => [Object.values(labels)[0] ?? '', values[place]!] as const)
        .filter(([, value]) => !Number.isNaN(value)),
    );

  return {
    /** For /metrics; values are read at each scrape. */
    sources: ownMetrics.map(({ name, help, kind, label, series }) =>
      kind === 'histogram'
        ? {
            name,
            help,
            kind,
            async read() {
              const { values } = await read();
              const [{ place }] = series as [OwnSeries];
              const counts = values.subarray(place + 1, place + 1 + bucketsCount);
              return { bounds: durationBoundsMs, counts, sum: values[place]! };
            },
          }
        : {
            name,
            help,
            kind,
            ...(label !== undefined && { label }),
            read: async () => readSeries(series, (await read()).values),
          },
    ),
    record,
    /** The rows of the last day and the present values, oldest first. Everything was 0 when the process started. */
    async history(nowMs: number): Promise<readonly MetricRow[]> {
      const first = { atMs: startedAtMs, values: new Float64Array(rowWidth).fill(Number.NaN, ratePlace) };
      return [...(ring.hasForgotten() ? [] : [first]), ...ring.rows(), { ...(await read()), atMs: nowMs }];
    },
    /** Adds a row per minute. */
    start(): void {
      timer ??= setInterval(() => void record(), metricLimits.ringEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
