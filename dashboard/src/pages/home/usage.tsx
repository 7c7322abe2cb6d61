import { useMemo } from 'react';
import { Chart } from '../../kit/chart.tsx';
import { Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import type { Overview } from './home.tsx';

type Hours = NonNullable<Overview['usage']>;

const memories = [
  { id: 'instructions', label: 'Instructions' },
  { id: 'knowledge', label: 'Knowledge' },
  { id: 'notebooks', label: 'Notebooks' },
  { id: 'truth', label: 'Truth' },
] as const;

const hourS = 3_600;

function MemoryChart({ usage, id, label }: { readonly usage: Hours } & (typeof memories)[number]) {
  const { times, series, calls, writes } = useMemo(() => {
    const start = Date.parse(usage.from) / 1_000;
    const hours = Array.from({ length: usage.hoursCount }, (_, i) => start + i * hourS);
    const rows = new Map(
      usage.hours.filter(({ memory }) => memory === id).map((hour) => [Date.parse(hour.at) / 1_000, hour]),
    );
    const callCounts = hours.map((hour) => rows.get(hour)?.calls ?? 0);
    const writeCounts = hours.map((hour) => rows.get(hour)?.writes ?? 0);
    const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
    return {
      times: hours,
      series: [
        { label: 'Calls', colour: `--${id}`, values: callCounts },
        { label: 'Writes', colour: '--soft', values: writeCounts },
      ],
      calls: sum(callCounts),
      writes: sum(writeCounts),
    };
  }, [usage, id]);
  return (
    <div className="multiple">
      <h3>
        <span className="memory-mark" data-memory={id} /> {label}
      </h3>
      <p className="soft">
        {plural(calls, 'call')}, {plural(writes, 'write')}
      </p>
      {calls > 0 && <Chart title={`${label}: calls and writes per hour`} times={times} series={series} height={80} />}
    </div>
  );
}

export const Usage = ({ usage }: { readonly usage: Hours }) => (
  <Section title="Use in the last 24 hours">
    <div className="multiples">
      {memories.map((memory) => (
        <MemoryChart key={memory.id} usage={usage} {...memory} />
      ))}
    </div>
  </Section>
);
