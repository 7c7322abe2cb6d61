import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Empty } from '../../kit/feedback.tsx';
import { Choice, SearchField } from '../../kit/form.tsx';
import { plural } from '../../kit/plural.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { NewPad } from './new-pad.tsx';

const pageCount = 100;
/** The first page should come quickly; who scrolls further wants many. */
const laterPageCount = 1_000;
const hitsCount = 50;

interface ListedItem {
  readonly key: string;
  readonly scratchId: string;
  readonly cellId?: string | undefined;
  readonly title: string;
  readonly detail: string;
  readonly updatedAt?: string | undefined;
}

/** Pads in order of their ids, or the cells that match what is typed. */
function useItems(query: string, namespace: string, tag: string) {
  const filter = {
    ...(namespace !== '' && { namespaces: [namespace] }),
    ...(tag !== '' && { tags: [tag] }),
  };
  const isSearch = query.trim() !== '';
  const listed = useToolPages(
    'scratch_list',
    { ...filter, limit: pageCount, include_details: true },
    ({ next_cursor }) => (next_cursor === undefined ? undefined : { cursor: next_cursor, limit: laterPageCount }),
    { enabled: !isSearch },
  );
  const found = useTool(
    'scratch_search',
    { ...filter, query: isSearch ? query : 'x', limit: hitsCount },
    { enabled: isSearch, keepsPrevious: true },
  );
  if (isSearch) {
    const items = found.data?.hits.map(
      ({ scratch_id, cell_id, snippet }): ListedItem => ({
        key: `${scratch_id}/${cell_id ?? ''}`,
        ...{ scratchId: scratch_id, cellId: cell_id ?? undefined, title: snippet || scratch_id, detail: scratch_id },
      }),
    );
    return { query: { ...found, data: items }, onEnd: undefined };
  }
  const items = listed.data?.pages
    .flatMap(({ scratchpads }) => scratchpads)
    .map(
      ({ scratch_id, title, namespace: inside, cell_count, updated_at }): ListedItem => ({
        key: scratch_id,
        scratchId: scratch_id,
        title: title ?? scratch_id,
        detail: [inside, plural(cell_count, 'cell')].filter((part) => part !== null).join(' · '),
        updatedAt: updated_at,
      }),
    );
  const onEnd = listed.hasNextPage && !listed.isFetching ? () => void listed.fetchNextPage() : undefined;
  return { query: { ...listed, data: items }, onEnd };
}

const Item = ({ item }: { readonly item: ListedItem }) => (
  <>
    <span className="memory-mark" data-memory="notebooks" />
    <div>
      <div className="one-line">
        <bdi>{item.title}</bdi>
      </div>
      <div className="row soft">
        <span className="one-line">{item.detail}</span>
        {item.updatedAt && (
          <span className="push">
            <Time at={item.updatedAt} />
          </span>
        )}
      </div>
    </div>
  </>
);

const NoItems = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="Nothing matches." />
  ) : (
    <Empty title="There are no scratchpads yet." example='scratch_create {"scratch_id": "plan"}'>
      Agents create them while they work. You can create one too.
    </Empty>
  );

export function PadList({ selectedId }: { readonly selectedId: string | undefined }) {
  const [{ q = '', namespace = '', tag = '', cell }, setSearch] = useSearchState();
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  const canWrite = useCan('write');
  const namespaces = useTool('scratch_namespace_list', {});
  const tags = useTool('scratch_list_tags', namespace === '' ? {} : { namespaces: [namespace] });
  // The input stays quick while the hits are drawn.
  const { query, onEnd } = useItems(useDeferredValue(q), namespace, tag);
  const allTags = [...new Set([...(tags.data?.scratchpad_tags ?? []), ...(tags.data?.cell_tags ?? [])])].sort();

  const open = ({ scratchId, cellId }: ListedItem) =>
    void navigate({
      to: `/notebooks/${encodeURIComponent(scratchId)}`,
      search: {
        ...(q && { q }),
        ...(namespace && { namespace }),
        ...(tag && { tag }),
        ...(cellId && { cell: cellId }),
      },
    } as never);

  return (
    <>
      <div className="list-head">
        <h1 className="visually-hidden">Scratchpads</h1>
        <div className="row">
          <SearchField label="Search cells" value={q} onChange={(text) => setSearch({ q: text }, 'replace')} />
          {canWrite && <Button onClick={() => setCreating(true)}>New</Button>}
        </div>
        <div className="row pad-filters">
          <Choice
            label="Namespace"
            value={namespace}
            onChange={(value) => setSearch({ namespace: value, tag: undefined })}
            choices={[
              { value: '', label: 'All namespaces' },
              ...(namespaces.data?.namespaces ?? []).map((one) => ({
                value: one.namespace,
                label: `${one.namespace} (${one.scratchpad_count})`,
              })),
            ]}
          />
          {allTags.length > 0 && (
            <Choice
              label="Tag"
              value={tag}
              onChange={(value) => setSearch({ tag: value })}
              choices={[{ value: '', label: 'All tags' }, ...allTags.map((one) => ({ value: one, label: one }))]}
            />
          )}
        </div>
      </div>
      <Answer of={query} what="Loading scratchpads">
        {(items) =>
          items.length === 0 ? (
            <NoItems isFiltered={q !== '' || namespace !== '' || tag !== ''} />
          ) : (
            <VirtualList
              name="Scratchpads"
              listKey={`${namespace} ${tag} ${q.trim()}`}
              items={items}
              keyOf={({ key }) => key}
              selectedKey={q.trim() === '' ? selectedId : `${selectedId}/${cell ?? ''}`}
              onOpen={open}
              onEnd={onEnd}
              render={(item) => <Item item={item} />}
            />
          )
        }
      </Answer>
      {isCreating && <NewPad namespace={namespace} onClose={() => setCreating(false)} />}
    </>
  );
}
