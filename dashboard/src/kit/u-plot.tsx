import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface ChartProps {
  readonly title: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    /** A custom property of CSS: `--truth`. */
    readonly colour: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly height?: number;
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

const resolve = (host: Element, property: string): string => {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  host.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
};

export function UPlotChart({ times, series, height = 88 }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = host.current!;
    const made = new UPlot(
      {
        width: parent.clientWidth || 300,
        height,
        legend: { show: false },
        cursor: { show: false },
        axes: [
          {
            stroke: resolve(parent, '--soft'),
            grid: { show: false },
            size: 32,
            values: (_, seconds) => seconds.map((at) => clock.format(at * 1_000)),
          },
          { show: false },
        ],
        series: [
          {},
          ...series.map(({ label, colour }) => ({
            label,
            stroke: resolve(parent, colour),
            width: 1.5,
            points: { show: false },
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      parent,
    );
    const observer = new ResizeObserver(() => made.setSize({ width: parent.clientWidth || 300, height }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [times, series, height]);
  return <div ref={host} aria-hidden="true" />;
}
