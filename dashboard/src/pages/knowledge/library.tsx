import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { Choice, SearchField } from '../../kit/form.tsx';
import { Page as Frame, PageAnswer } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { KnowledgeFrame } from './knowledge-frame.tsx';
import { shippedLibrary, toPageLink, toSourceName, toVersionName } from './page-link.tsx';
import { Reader } from './reader.tsx';

interface ListProps {
  readonly library: string;
  readonly version: string;
  readonly versions: readonly string[];
  readonly page: string | undefined;
}

function PageList({ library, version, versions, page }: ListProps) {
  const [{ prefix = '' }, setSearch] = useSearchState();
  const navigate = useNavigate();
  const pages = useToolPages(
    'knowledge_pages',
    { library, version, ...(prefix !== '' && { prefix }) },
    ({ next_cursor }) => (next_cursor === undefined ? undefined : { cursor: next_cursor }),
  );
  const items = pages.data?.pages.flatMap((one) => one.pages);
  const onEnd = pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : undefined;
  return (
    <>
      <div className="list-head">
        <div className="row">
          <h1 className="one-line">{library}</h1>
          <Link className="button push" data-kind="quiet" to="/knowledge">
            All libraries
          </Link>
        </div>
        <div className="row">
          <Choice
            label="Version"
            value={version}
            onChange={(value) => void navigate(toPageLink({ library, version: value }) as never)}
            choices={versions.map((one) => ({ value: one, label: toVersionName(one) }))}
          />
          <SearchField
            label="Beginning of the path"
            value={prefix}
            onChange={(text) => setSearch({ prefix: text }, 'replace')}
          />
        </div>
      </div>
      <Answer of={{ ...pages, data: items }} what="Loading pages">
        {(list) =>
          list.length === 0 ? (
            <Empty title="No page begins like this." />
          ) : (
            <VirtualList
              name="Pages"
              items={list}
              keyOf={({ path }) => path}
              selectedKey={page}
              onOpen={({ path }) => setSearch({ page: path, section: undefined })}
              onEnd={onEnd}
              render={({ path, title }) => (
                <>
                  <span className="memory-mark" data-memory="knowledge" />
                  <div>
                    <div className="one-line">
                      <bdi>{title}</bdi>
                    </div>
                    <div className="one-line soft mono">{path}</div>
                  </div>
                </>
              )}
            />
          )
        }
      </Answer>
    </>
  );
}

function Overview({ library, version }: { readonly library: string; readonly version: string }) {
  const listed = useTool('knowledge_list', { library });
  const found = listed.data?.libraries.find((one) => one.version === version);
  return (
    <Frame
      title={`${library} ${toVersionName(version)}`}
      answer={library === shippedLibrary && found === undefined ? 'Docs that come with Fourfold.' : undefined}
    >
      {found && (
        <dl className="facts">
          <dt>Pages</dt>
          <dd>{found.pages.toLocaleString()}</dd>
          <dt>Sections</dt>
          <dd>{found.sections.toLocaleString()}</dd>
          <dt>Source</dt>
          <dd>{toSourceName(found)}</dd>
          <dt>Updated</dt>
          <dd>
            <Time at={found.updated_at} />
          </dd>
          <dt>Health</dt>
          <dd>{found.complete ? <Badge tone="ok">● complete</Badge> : <Badge tone="attention">● incomplete</Badge>}</dd>
        </dl>
      )}
      <p className="soft">Choose a page, or press j and enter.</p>
    </Frame>
  );
}

/** The pages of one library, and the page that is read. */
export function Page() {
  const { library = '' } = useParams({ strict: false }) as { readonly library?: string };
  const [{ version: given, page, section }] = useSearchState();
  const known = useTool('knowledge_pages', { library });
  return (
    <KnowledgeFrame>
      <PageAnswer of={known} title={library} what="Loading the library">
        {({ libraries }) => {
          const versions = libraries.map(({ version }) => version);
          const version = given ?? versions.at(-1);
          if (version === undefined) {
            return (
              <Frame title={library}>
                <Empty title="There are no docs of this library." example={`fourfold knowledge add ${library}`}>
                  <Link to="/knowledge">All libraries</Link>
                </Empty>
              </Frame>
            );
          }
          return (
            <Split
              name={`Pages of ${library}`}
              shows={page === undefined ? 'list' : 'detail'}
              list={<PageList library={library} version={version} versions={versions} page={page} />}
              detail={
                page === undefined ? (
                  <Overview library={library} version={version} />
                ) : (
                  <Reader key={`${version} ${page}`} place={{ library, version, page, section }} />
                )
              }
            />
          );
        }}
      </PageAnswer>
    </KnowledgeFrame>
  );
}
