import type { Registry } from 'prom-client';

/** A figure that somebody else keeps. Values by label; without a label, the one value stands under ''. */
export interface MetricSource {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly label?: string;
  read(): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

/** Shows them under their own names. */
export async function addSourceMetrics(registry: Registry, sources: readonly MetricSource[]): Promise<void> {
  const { Counter, Gauge } = await import('prom-client');
  for (const { name, help, kind, label, read } of sources) {
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
          // What is not known now is not shown: a gauge that was reset would say 0.
          if (label === undefined && values.size === 0) this.remove();
          for (const [value, count] of values) this.set(labelsOf(value), count);
        },
      });
    }
  }
}
