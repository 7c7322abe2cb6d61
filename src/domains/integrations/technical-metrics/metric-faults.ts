import { defineFaults, fault } from '#kernel/fault/fault.ts';

/** Codes of sections 3.13 and 3.14 of the document. */
export const metricFaults = defineFaults({
  METRIC_NOT_FOUND: fault({
    rpc: -32602,
    http: 404,
    retryable: false,
    say: (p: { name: string; nearest: string }) =>
      `The metric ${p.name} does not exist; the nearest name is ${p.nearest}`,
    fix: 'Use a name from details.known; names are case-sensitive.',
  }),
  PROMETHEUS_QUERY_FAILED: fault({
    rpc: -32603,
    http: 500,
    retryable: true,
    say: (p: { why: string }) => `The Prometheus query failed: ${p.why}`,
    fix: 'Call again with a shorter time_range or a longer step. If it keeps failing, check the settings prometheusUrl and prometheusTokenFile.',
  }),
  METRICS_SERVICE_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: (p: { why: string }) => `Prometheus is not available: ${p.why}`,
    fix: 'Call again later. Check that Prometheus runs at prometheusUrl; without this setting the tool answers from the metrics of this process.',
  }),
});
