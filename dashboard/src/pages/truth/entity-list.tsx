import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Choice, SearchField } from '../../kit/form.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { displayName, fieldsOf, plural, toLabel } from './value.tsx';

type Entity = Output<'retrieve_entities'>['entities'][number];

/** The first page should come quickly; who scrolls further wants many. */
const laterPageCount = 1_000;

const EntityRow = ({ entity }: { readonly entity: Entity }) => (
  <>
    <span className="memory-mark" data-memory="truth" />
    <div>
      <div className="row">
        <strong className="one-line">
          <bdi>{displayName(entity.canonical_name, fieldsOf(entity.snapshot))}</bdi>
        </strong>
        {entity.created_at && (
          <small className="soft push">
            <Time at={entity.created_at} />
          </small>
        )}
      </div>
      <div className="soft one-line small">
        {toLabel(entity.entity_type)}
        {entity.observation_count !== undefined && ` · ${plural(entity.observation_count, 'statement')}`}
        {entity.matched !== undefined && ` · found in ${entity.matched.map(toLabel).join(', ')}`}
      </div>
    </div>
  </>
);

/** Entities by search, or all of a type, newest first. */
export function EntityList({ entityId }: { readonly entityId: string | undefined }) {
  const [{ q = '', type = '' }, setSearch] = useSearchState();
  const navigate = useNavigate();
  const query = useDeferredValue(q.trim());
  const types = useTool('list_entity_types', {});
  const found = useToolPages(
    'retrieve_entities',
    {
      limit: 100,
      brief: true,
      ...(query !== '' && { query }),
      ...(type !== '' && { entity_type: type }),
    },
    ({ next_cursor: cursor }) => (cursor === undefined ? undefined : { cursor, limit: laterPageCount }),
  );
  const entities = found.data?.pages.flatMap((page) => page.entities) ?? [];
  const hint = found.data?.pages[0]?.hint;
  const choices = (types.data?.types ?? []).map(({ entity_type, count }) => ({
    value: entity_type,
    label: `${toLabel(entity_type)} (${count})`,
  }));
  return (
    <>
      <div className="list-head">
        <h1 className="visually-hidden">Entities</h1>
        <SearchField label="Search entities" value={q} onChange={(value) => setSearch({ q: value }, 'replace')} />
        <Choice
          label="Type"
          value={type}
          onChange={(value) => setSearch({ type: value })}
          choices={[{ value: '', label: 'All types' }, ...choices]}
        />
      </div>
      {found.error && found.data === undefined && (
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Loading />}
      {found.data !== undefined && entities.length === 0 && (
        <Empty
          title={query === '' ? 'No entity is stored yet.' : 'Nothing was found.'}
          {...(query === '' && { example: 'fourfold call store_fact subject.type=person subject.name="Alice"' })}
        >
          {query !== '' && hint !== undefined && <p>{hint}</p>}
        </Empty>
      )}
      <VirtualList
        name="Entities"
        items={entities}
        keyOf={({ entity_id }) => entity_id}
        selectedKey={entityId}
        render={(entity) => <EntityRow entity={entity} />}
        onOpen={({ entity_id }) =>
          void navigate({
            to: `/truth/${entity_id}`,
            search: { ...(q !== '' && { q }), ...(type !== '' && { type }) },
          } as never)
        }
        onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
      />
    </>
  );
}
