import { useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Go } from '../../kit/go.tsx';
import { Section } from '../../kit/page.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { DemoStart } from '../home/demo-start.tsx';
import { SettingsFrame } from './frame.tsx';

function Tenants() {
  const pages = useToolPages('tenants_list', {}, ({ nextCursor }) =>
    nextCursor === undefined ? undefined : { cursor: nextCursor },
  );
  const tenants = pages.data?.pages.flatMap((page) => page.tenants) ?? [];
  if (pages.error && tenants.length === 0) {
    return <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  if (pages.isPending) return <Loading what="Reading the tenants" />;
  return (
    <TableScroll name="Tenants table">
      <table>
        <thead>
          <tr>
            <th scope="col">Tenant</th>
            <th scope="col" className="number wide-only">
              Changes
            </th>
            <th scope="col" className="wide-only">
              Last change
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tenants.map(({ tenant, changesCount, lastChangeAt }) => (
            <tr key={tenant}>
              <th scope="row">{tenant}</th>
              <td className="number wide-only">{changesCount.toLocaleString()}</td>
              <td className="wide-only">{lastChangeAt ? <Time at={lastChangeAt} /> : 'never'}</td>
              <td>
                <Go to={`/settings/keys?tenant=${encodeURIComponent(tenant)}`}>Keys of {tenant}</Go>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pages.hasNextPage && (
        <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
          More tenants
        </Button>
      )}
    </TableScroll>
  );
}

export const Page = () => (
  <SettingsFrame
    title="Tenants"
    answer="Each tenant has its own data; no query crosses tenants. The first key of a new name creates one."
    needs="operator"
  >
    {() => (
      <>
        <Tenants />
        <Section title="Example company">
          <DemoStart />
        </Section>
      </>
    )}
  </SettingsFrame>
);
