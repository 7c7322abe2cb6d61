import { useTool } from '../../api/use-tool.ts';
import { Answer, Empty } from '../../kit/feedback.tsx';
import { SearchField } from '../../kit/form.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { SettingsFrame } from './frame.tsx';

/** Calls that only read change no store. */
const refreshMs = 5_000;

const toMs = (ms: number): string => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString());

function Content() {
  const metrics = useTool('metrics_snapshot', {}, { refreshMs });
  const [{ q = '' }, setSearch] = useSearchState();
  return (
    <>
      <SearchField label="Filter tools" value={q} onChange={(value) => setSearch({ q: value }, 'replace')} />
      <Answer of={metrics}>
        {({ methods }) => {
          const shown = methods
            .filter(({ method }) => method.includes(q.trim().toLowerCase()))
            .toSorted((a, b) => b.count - a.count);
          return shown.length === 0 ? (
            <Empty title="No tool with this name was called since the start." />
          ) : (
            <TableScroll name="Calls table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Tool</th>
                    <th scope="col" className="number">
                      Calls
                    </th>
                    <th scope="col" className="number">
                      Failed
                    </th>
                    <th scope="col" className="number">
                      Mean, ms
                    </th>
                    <th scope="col" className="number">
                      Slowest, ms
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map(({ method, count, errors, avgMs, maxMs }) => (
                    <tr key={method}>
                      <th scope="row">{method}</th>
                      <td className="number">{count.toLocaleString()}</td>
                      <td className="number">{errors.toLocaleString()}</td>
                      <td className="number">{toMs(avgMs)}</td>
                      <td className="number">{toMs(maxMs)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableScroll>
          );
        }}
      </Answer>
      <p className="soft">Prometheus reads more at /metrics, with a key as bearer token.</p>
    </>
  );
}

export const Page = () => (
  <SettingsFrame title="Metrics" answer="Calls of this process since it started." needs="read">
    {() => <Content />}
  </SettingsFrame>
);
