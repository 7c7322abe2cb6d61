import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { type Output, ToolError } from '../../api/call.ts';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { useToolRange } from '../../api/use-tool-range.ts';
import { Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { SearchField } from '../../kit/form.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { Page as Frame, PageAnswer, Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { FilePreview } from './file-preview.tsx';
import { TruthFrame } from './truth-frame.tsx';
import { plural, toLabel, useEntityNames, Value } from './value.tsx';

type RecordItem = Output<'retrieve_records'>['records'][number];
type Whole = Output<'get_record'>;
type Span = { readonly start: number; readonly end: number };

const nameOf = ({ properties, type }: Pick<RecordItem, 'properties' | 'type'>): string => {
  for (const name of ['file_name', 'title', 'name', 'subject', 'summary', 'description', 'note', 'text']) {
    const value = properties[name];
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, 200);
  }
  return toLabel(type);
};

/** The text that was read from a file, with the places of the extracted values marked. */
function MarkedText({ text, spans }: { readonly text: string; readonly spans: readonly Span[] }) {
  const parts = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <pre className="code">
      {parts}
      {text.slice(at)}
    </pre>
  );
}

function Extracted({ record }: { readonly record: Whole }) {
  const nameOfEntity = useEntityNames(record.extracted.map(({ entity_id }) => entity_id));
  if (record.extracted.length === 0) return <p className="soft">It states nothing about an entity.</p>;
  return (
    <>
      {record.extracted.map((one) => (
        <div key={one.observation_id} className="stack">
          <h3>
            <Link to={`/truth/${one.entity_id}` as never}>
              <bdi>{nameOfEntity(one)}</bdi>
            </Link>{' '}
            <span className="soft">{toLabel(one.entity_type)}</span>
          </h3>
          <dl className="facts">
            {one.fields.map(({ field, value, source_text }) => (
              <div key={field} style={{ display: 'contents' }}>
                <dt>{toLabel(field)}</dt>
                <dd>
                  {source_text === undefined ? (
                    <Value value={value} />
                  ) : (
                    <span title={source_text.text}>
                      <mark>
                        <Value value={value} />
                      </mark>
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {record.truncated && <p className="soft">It states more than is shown.</p>}
    </>
  );
}

const isMissing = (error: unknown): boolean => error instanceof ToolError && error.code === 'RECORD_NOT_FOUND';

const NotFound = () => (
  <Frame title="Not found">
    <Empty title="No record has this address.">
      <Link to="/truth/records">All records and files</Link>
    </Empty>
  </Frame>
);

function RecordDetail({ id }: { readonly id: string }) {
  const record = useTool('get_record', { id });
  if (record.data === undefined && isMissing(record.error)) return <NotFound />;
  return (
    <PageAnswer of={record} title="Record">
      {(data) => {
        const { text, ...properties } = data.properties;
        const spans = data.extracted.flatMap(({ fields }) => fields.flatMap(({ source_text }) => source_text ?? []));
        const fileUrl = data.file_urls[0];
        return (
          <Frame
            title={nameOf(data)}
            answer={
              <>
                {toLabel(data.type)}, stored <Time at={data.created_at} />
                {data.extracted.length > 0 && `, about ${plural(data.extracted.length, 'entity', 'entities')}`}
              </>
            }
          >
            <Link className="truth-back" to="/truth/records">
              Back to the list
            </Link>
            <div className="record-parts">
              <div className="stack">
                {fileUrl !== undefined && (
                  <Section title="File">
                    <FilePreview fileUrl={fileUrl} name={nameOf(data)} hasText={typeof text === 'string'} />
                  </Section>
                )}
                {typeof text === 'string' && (
                  <Section title="Text that was read">
                    <MarkedText text={text} spans={spans} />
                  </Section>
                )}
                <Section title="Properties">
                  <JsonTree value={properties} />
                </Section>
              </div>
              <Section title="What was extracted">
                <Extracted record={data} />
              </Section>
            </div>
          </Frame>
        );
      }}
    </PageAnswer>
  );
}

const recordsOf = ({ records }: Output<'retrieve_records'>): readonly RecordItem[] => records;
const totalOf = ({ total }: Output<'retrieve_records'>): number => total;

/** All records, newest first, or those that match, best first. */
function useRecords(query: string) {
  const isSearch = query !== '';
  const listed = useToolRange('retrieve_records', { brief: true }, { itemsOf: recordsOf, totalOf, enabled: !isSearch });
  const found = useToolPages(
    'retrieve_records',
    { limit: 50, brief: true, query: isSearch ? query : 'x' },
    ({ next_cursor: cursor }) => (cursor === undefined ? undefined : { cursor }),
    { enabled: isSearch, keepsPrevious: true },
  );
  const hits = useMemo(() => found.data?.pages.flatMap(({ records }) => records), [found.data]);
  if (!isSearch) return { state: listed.first, records: listed.items, total: listed.total, onRange: listed.onRange };
  const onEnd = found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined;
  return { state: found, records: hits ?? [], total: found.data?.pages[0]?.total, onEnd };
}

const render = (record: RecordItem) => (
  <div>
    <div className="row">
      <strong className="one-line">
        <bdi>{nameOf(record)}</bdi>
      </strong>
      <small className="soft push">
        <Time at={record.created_at} />
      </small>
    </div>
    <small className="soft one-line truth-line">
      {toLabel(record.type)}
      {record.file_urls.length > 0 && ' · file'}
    </small>
  </div>
);

export function Page() {
  const [{ id, q = '' }, setSearch] = useSearchState();
  const query = useDeferredValue(q.trim());
  const { state, records, total, onEnd, onRange } = useRecords(query);
  return (
    <TruthFrame>
      <Split
        name="Records and files"
        shows={id === undefined ? 'list' : 'detail'}
        list={
          <>
            <div className="list-head">
              <h1 className="visually-hidden">Records</h1>
              <SearchField label="Search records" value={q} onChange={(value) => setSearch({ q: value }, 'replace')} />
            </div>
            {state.error && state.data === undefined && (
              <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
            )}
            {state.isPending && <Loading />}
            {state.data !== undefined && records.length === 0 && (
              <Empty
                title={query === '' ? 'No record or file is stored yet.' : 'Nothing was found.'}
                {...(query === '' && { example: 'fourfold call upload_file file_path=invoice.pdf' })}
              />
            )}
            <VirtualList
              name="Records"
              listKey={query}
              items={records}
              keyOf={(record) => record.id}
              selectedKey={id}
              onOpen={(record) => setSearch({ id: record.id })}
              onEnd={onEnd}
              onRange={onRange}
              render={render}
            />
          </>
        }
        detail={
          id === undefined ? (
            <Frame
              title="Records and files"
              answer={total !== undefined && state.data !== undefined && plural(total, 'record')}
            >
              {records.length > 0 && <p className="soft">Choose a record on the left to see what was read from it.</p>}
            </Frame>
          ) : (
            <RecordDetail key={id} id={id} />
          )
        }
      />
    </TruthFrame>
  );
}
