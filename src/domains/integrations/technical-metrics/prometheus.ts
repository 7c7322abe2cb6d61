import { z } from 'zod';
import { createQueryService, type ServiceAnswer, type ServiceDeps } from '../query-service.ts';
import { metricFaults } from './metric-faults.ts';
import type { MetricAnswer, MetricKind, MetricPoint, MetricQuery } from './metric-query.ts';
import { toPromQl } from './promql.ts';

export interface PrometheusDeps extends ServiceDeps {
  /** Read for each query, so that a rotated token needs no restart. */
  readonly token: () => string | undefined;
}

export interface Prometheus {
  /** Undefined if the metric does not exist. */
  query(query: MetricQuery, known: MetricKind | undefined, signal: AbortSignal): Promise<MetricAnswer | undefined>;
}

const names = z.array(z.string());
const metadata = z.record(z.string(), z.array(z.object({ type: z.string(), help: z.string() })));
const matrix = z.object({
  resultType: z.literal('matrix'),
  result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])) })).max(1),
});

const failed = (why: string) => metricFaults.PROMETHEUS_QUERY_FAILED({ why });

const serviceFaults = {
  failed,
  unavailable: (why: string, options?: ErrorOptions) => metricFaults.METRICS_SERVICE_UNAVAILABLE({ why }, {}, options),
};

/** The words of Prometheus for its own errors; a text of its own is not passed on. */
const errorTypes: ReadonlySet<string> = new Set([
  'bad_data',
  'canceled',
  'execution',
  'internal',
  'timeout',
  'unavailable',
]);

function readAnswer<T>({ status, json }: ServiceAnswer, shape: z.ZodType<T>): T {
  const parsed = z
    .union([z.object({ status: z.literal('success'), data: shape }), z.object({ errorType: z.string() })])
    .safeParse(json).data;
  if (parsed !== undefined && 'data' in parsed) return parsed.data;
  if (parsed !== undefined && errorTypes.has(parsed.errorType)) throw failed(parsed.errorType);
  throw failed(`the answer (status ${status}) is not one of Prometheus; is prometheusUrl its address?`);
}

/** By the rules for metric names, where Prometheus does not say: it knows types of scraped metrics only. */
function guessKind(name: string, found: readonly string[]): MetricKind {
  if (found.includes(`${name}_bucket`)) return 'histogram';
  return /_(?:total|count|sum|bucket)$/.test(name) ? 'counter' : 'gauge';
}

const isKind = (type: string | undefined): type is MetricKind =>
  type === 'counter' || type === 'gauge' || type === 'histogram';

/** The time of a value is the end of its window, and ours the beginning. */
const toPoints = ({ result }: z.infer<typeof matrix>, stepMs: number): MetricPoint[] =>
  (result[0]?.values ?? [])
    .map(([at, value]) => ({ atMs: Math.round(at * 1_000) - stepMs, value: Number(value) }))
    // Prometheus has NaN where there is nothing to divide, and JSON has no infinity.
    .filter(({ value }) => Number.isFinite(value));

export function createPrometheus({ token, ...service }: PrometheusDeps): Prometheus {
  const client = createQueryService(service, serviceFaults);

  async function ask<T>(
    path: string,
    form: Readonly<Record<string, string>>,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const bearer = token();
    const headers = { ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) };
    return readAnswer(
      await client(`api/v1/${path}?${new URLSearchParams(form).toString()}`, { headers }, signal),
      shape,
    );
  }

  return {
    async query(query, known, signal) {
      const { name, startMs, stepMs, pointsCount } = query;
      // An unknown metric is an empty success of a query, so ask for the name.
      const [found, about] = await Promise.all([
        ask('label/__name__/values', { 'match[]': `{__name__=~"${name}(_bucket)?"}` }, names, signal),
        ask('metadata', { metric: name }, metadata, signal),
      ]);
      if (found.length === 0) return undefined;
      const [facts] = about[name] ?? [];
      const kind = isKind(facts?.type) ? facts.type : (known ?? guessKind(name, found));
      const answer = await ask(
        'query_range',
        {
          query: toPromQl(kind, query),
          start: String((startMs + stepMs) / 1_000),
          end: String((startMs + pointsCount * stepMs) / 1_000),
          step: String(stepMs / 1_000),
        },
        matrix,
        signal,
      );
      return { points: toPoints(answer, stepMs), description: facts?.help };
    },
  };
}
