import type { Metric, Registry as MetricRegistry, Registry } from 'prom-client';
import type { HttpDeps } from './http-deps.ts';
import { addProcessMetrics } from './process-metrics.ts';

/** Values by label; a metric without a label has its one value under ''. */
interface ValueSource {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly label?: string;
  read(): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

interface HistogramSource {
  readonly name: string;
  readonly help: string;
  readonly kind: 'histogram';
  /** `counts` are per bucket, and have one more than `bounds`. */
  read(): Promise<{ readonly bounds: readonly number[]; readonly counts: Float64Array; readonly sum: number }>;
}

export type MetricSource = ValueSource | HistogramSource;

/** The histograms of prom-client count by themselves; ours are already counted. */
function addHistogram(registry: Registry, { name, help, read }: HistogramSource): void {
  const metric = {
    name,
    async get() {
      const { bounds, counts, sum } = await read();
      let total = 0;
      const buckets = [...counts].map((count, i) => {
        total += count;
        return { metricName: `${name}_bucket`, labels: { le: bounds[i] ?? '+Inf' }, value: total };
      });
      const values = [
        ...buckets,
        { metricName: `${name}_sum`, labels: {}, value: sum },
        { metricName: `${name}_count`, labels: {}, value: total },
      ];
      return { name, help, type: 'histogram', values };
    },
  };
  registry.registerMetric(metric as unknown as Metric);
}

async function addSourceMetrics(registry: Registry, sources: readonly MetricSource[]): Promise<void> {
  const { Counter, Gauge } = await import('prom-client');
  for (const source of sources) {
    if (source.kind === 'histogram') {
      addHistogram(registry, source);
      continue;
    }
    const { name, help, kind, label, read } = source;
    const facts = { name, help, labelNames: label === undefined ? [] : [label], registers: [registry] };
    const labelsOf = (value: string): Record<string, string> => (label === undefined ? {} : { [label]: value });
    if (kind === 'counter') {
      new Counter({
        ...facts,
        async collect() {
          const values = await read();
          this.reset();
          for (const [value, count] of values) this.inc(labelsOf(value), count);
        },
      });
    } else {
      new Gauge({
        ...facts,
        async collect() {
          const values = await read();
          this.reset();
          // An unknown value is omitted: a gauge that was reset would show 0.
          if (label === undefined && values.size === 0) this.remove();
          for (const [value, count] of values) this.set(labelsOf(value), count);
        },
      });
    }
  }
}

export interface MetricsDeps extends Pick<HttpDeps, 'meter' | 'about' | 'metricSources'> {
  /** Rejected requests by fault code. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly eventStreams: { readonly count: number };
}

export interface Metrics {
  text(): Promise<{ readonly type: string; readonly body: string }>;
}

/** All values are read at the scrape, so counting costs a call nothing. */
async function openRegistry({
  meter,
  about,
  refusals,
  eventStreams,
  metricSources = [],
}: MetricsDeps): Promise<MetricRegistry> {
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];

  new Gauge({
    name: 'fourfold_info',
    help: 'Fourfold version.',
    labelNames: ['version'],
    registers,
  }).set({ version: about.version }, 1);

  new Counter({
    name: 'fourfold_calls_total',
    help: 'Calls by canonical tool name.',
    labelNames: ['method'],
    registers,
    collect() {
      this.reset();
      for (const { method, count } of meter.snapshot()) this.inc({ method }, count);
    },
  });
  new Counter({
    name: 'fourfold_call_errors_total',
    help: 'Calls that ended in a fault, by canonical tool name.',
    labelNames: ['method'],
    registers,
    collect() {
      this.reset();
      for (const { method, errors } of meter.snapshot()) this.inc({ method }, errors);
    },
  });
  new Counter({
    name: 'fourfold_call_seconds_total',
    help: 'Total time in calls; divide by fourfold_calls_total for the mean.',
    labelNames: ['method'],
    registers,
    collect() {
      this.reset();
      for (const { method, count, avgMs } of meter.snapshot()) this.inc({ method }, (count * avgMs) / 1000);
    },
  });
  new Gauge({
    name: 'fourfold_call_max_seconds',
    help: 'Longest call since the start.',
    labelNames: ['method'],
    registers,
    collect() {
      this.reset();
      for (const { method, maxMs } of meter.snapshot()) this.set({ method }, maxMs / 1000);
    },
  });
  new Counter({
    name: 'fourfold_faults_total',
    help: 'Calls that ended in a fault, by fault code.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset();
      for (const [code, count] of meter.faultCounts()) this.inc({ code }, count);
    },
  });
  new Counter({
    name: 'fourfold_http_refusals_total',
    help: 'HTTP requests answered with a fault, by fault code.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset();
      for (const [code, count] of refusals) this.inc({ code }, count);
    },
  });
  new Gauge({
    name: 'fourfold_event_streams',
    help: 'Open streams of /api/events.',
    registers,
    collect() {
      this.set(eventStreams.count);
    },
  });
  await addSourceMetrics(registry, metricSources);
  await addProcessMetrics(registry);
  return registry;
}

/** The library loads at the first scrape: a server without scrapes does not pay for it. */
export function createMetrics(deps: MetricsDeps): Metrics {
  let opening: Promise<MetricRegistry> | undefined;
  return {
    async text() {
      opening ??= openRegistry(deps);
      const registry = await opening;
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}
