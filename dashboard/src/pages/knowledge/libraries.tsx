import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { SearchField } from '../../kit/form.tsx';
import { useLinkKeys } from '../../kit/link-keys.ts';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { AddLibrary } from './add-library.tsx';
import { IngestProgress, isFilledBy, startIngest, useIngests } from './ingests.tsx';
import { KnowledgeFrame } from './knowledge-frame.tsx';
import { countPages, PageLink, shippedLibrary, toSourceName, toVersionName } from './page-link.tsx';

export type Library = Output<'knowledge_list'>['libraries'][number];

const pageCount = 100;
const nameOf = ({ library, version }: Pick<Library, 'library' | 'version'>): string => `${library}@${version}`;

function SearchForm() {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    void navigate({ to: '/knowledge/-/search', search: { q: query } } as never);
  }
  return (
    <form className="row" onSubmit={submit}>
      <SearchField label="Search the docs" value={query} onChange={setQuery} />
      <Button type="submit">Search</Button>
    </form>
  );
}

function RemoveLibrary({ library, onClose }: { readonly library: Library; readonly onClose: () => void }) {
  const remove = useToolAction('knowledge_remove');
  const restore = useToolAction('knowledge_restore');
  const target = { library: library.library, version: library.version };
  async function confirm() {
    await remove.mutateAsync(target);
    say(`${nameOf(library)} was removed.`, () => void restore.mutateAsync(target).catch(sayError));
  }
  return (
    <Confirm title={`Remove ${nameOf(library)}?`} action="Remove" isDanger onConfirm={confirm} onClose={onClose}>
      <p>
        Agents no longer find it: {countPages(library.pages)}. It can be restored for 30 days: fourfold knowledge
        restore {library.library} {library.version}
      </p>
    </Confirm>
  );
}

function Health({ library, isRunning }: { readonly library: Library; readonly isRunning: boolean }) {
  if (isRunning) return <Badge tone="accent">● reading</Badge>;
  return library.complete ? <Badge tone="ok">● complete</Badge> : <Badge tone="attention">● incomplete</Badge>;
}

interface RowProps {
  readonly library: Library;
  readonly canWrite: boolean;
  readonly healthClass: string | undefined;
}

function Row({ library, canWrite, healthClass }: RowProps) {
  const [isRemoving, setRemoving] = useState(false);
  const isRunning = useIngests().some((ingest) => isFilledBy(library, ingest));
  // Pages that were sent as text have no source to read again.
  const canRefresh = canWrite && library.source_kind !== 'pages';
  const { source, version } = library;
  // A package may be installed in another version by now.
  const pinned = library.source_kind === 'package' ? {} : { version };
  const refresh = () => startIngest({ source, library: library.library, ...pinned });
  return (
    <tr>
      <td>
        <PageLink place={library}>{library.library}</PageLink>
      </td>
      <td>{library.version}</td>
      <td className="number wide-only">{library.pages.toLocaleString()}</td>
      <td className="number wide-only">{library.sections.toLocaleString()}</td>
      <td className="wide-only">
        <Time at={library.updated_at} />
      </td>
      <td className={healthClass}>
        <Health library={library} isRunning={isRunning} />
      </td>
      <td className="soft wide-only">{toSourceName(library)}</td>
      <td>
        <span className="row wrap">
          {canRefresh && (
            <Button aria-label={`Refresh ${nameOf(library)}`} disabled={isRunning} onClick={refresh}>
              Refresh
            </Button>
          )}
          {canWrite && (
            <Button aria-label={`Remove ${nameOf(library)}`} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </span>
        {isRemoving && <RemoveLibrary library={library} onClose={() => setRemoving(false)} />}
      </td>
    </tr>
  );
}

const columns = (healthClass: string | undefined) => [
  { name: 'Library' },
  { name: 'Version' },
  { name: 'Pages', className: 'number wide-only' },
  { name: 'Sections', className: 'number wide-only' },
  { name: 'Updated', className: 'wide-only' },
  { name: 'Health', className: healthClass },
  { name: 'Source', className: 'wide-only' },
];

function LibraryTable({ libraries, canWrite }: { readonly libraries: readonly Library[]; readonly canWrite: boolean }) {
  useLinkKeys('Libraries');
  // A narrow screen has room for it only where it says something.
  const healthClass = libraries.every(({ complete }) => complete) ? 'wide-only' : undefined;
  return (
    <TableScroll name="Libraries">
      <table>
        <thead>
          <tr>
            {columns(healthClass).map(({ name, ...rest }) => (
              <th key={name} scope="col" {...rest}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody data-links="td:first-child a">
          {libraries.map((library) => (
            <Row key={nameOf(library)} library={library} canWrite={canWrite} healthClass={healthClass} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

/** The docs that come with the program. */
function Shipped() {
  const pages = useTool('knowledge_pages', { library: shippedLibrary }, { isLive: false });
  return (
    <Section title="Included with Fourfold">
      <Answer of={pages}>
        {({ libraries }) => (
          <div className="row wrap">
            {libraries.map((one) => (
              <PageLink key={nameOf(one)} className="button" place={one}>
                {one.library} {toVersionName(one.version)}
              </PageLink>
            ))}
          </div>
        )}
      </Answer>
    </Section>
  );
}

const summarise = (libraries: readonly Library[]): string => {
  const names = new Set(libraries.map(({ library }) => library)).size;
  const open = libraries.filter(({ complete }) => !complete).length;
  const versions = plural(libraries.length, 'version');
  return `${plural(names, 'library', 'libraries')} in ${versions}; ${open === 0 ? 'all complete' : `${open} incomplete`}.`;
};

export function Page() {
  const [{ add }, setSearch] = useSearchState();
  const canWrite = useCan('write');
  const pages = useToolPages('knowledge_list', { limit: pageCount }, ({ next_cursor }) =>
    next_cursor === undefined ? undefined : { cursor: next_cursor },
  );
  const libraries = pages.data?.pages.flatMap((page) => page.libraries);
  return (
    <KnowledgeFrame>
      <Frame
        title="Knowledge"
        answer={libraries && libraries.length > 0 ? summarise(libraries) : 'Docs that agents search while they work.'}
        actions={
          canWrite && (
            <Button kind="primary" onClick={() => setSearch({ add: '1' })}>
              Add a library
            </Button>
          )
        }
      >
        <SearchForm />
        <IngestProgress />
        <Section title="Your libraries">
          <Answer of={{ ...pages, data: libraries }} what="Loading libraries">
            {(list) =>
              list.length === 0 ? (
                <Empty title="No docs were added yet." example="fourfold knowledge add zod">
                  Add the docs of the libraries that you use, so that agents read the right version.
                </Empty>
              ) : (
                <LibraryTable libraries={list} canWrite={canWrite} />
              )
            }
          </Answer>
          {pages.hasNextPage && (
            <Button disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
              Show more
            </Button>
          )}
        </Section>
        <Shipped />
        {add !== undefined && canWrite && <AddLibrary onClose={() => setSearch({ add: undefined }, 'replace')} />}
      </Frame>
    </KnowledgeFrame>
  );
}
