import { type ComponentType, lazy, Suspense } from 'react';
import type { ChartProps } from './u-plot.tsx';

/** If the picture cannot be loaded, the figures remain as text. */
const LazyChart = lazy<ComponentType<ChartProps>>(() =>
  import('./u-plot.tsx').then(
    ({ UPlotChart }) => ({ default: UPlotChart }),
    () => ({ default: () => null }),
  ),
);

/** A small line or bar chart with the same data as a table for screen readers. */
export const Chart = (props: ChartProps) => (
  <figure>
    <Suspense fallback={<div style={{ height: props.height ?? 88 }} />}>
      <LazyChart {...props} />
    </Suspense>
    <figcaption className="visually-hidden">
      <table>
        <caption>{props.title}</caption>
        <tbody>
          {props.times.map((time, at) => (
            <tr key={time}>
              <th scope="row">{new Date(time * 1000).toLocaleString()}</th>
              {props.series.map(({ label, values }) => (
                <td key={label}>{`${label}: ${values[at] ?? 'none'}`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figcaption>
  </figure>
);
