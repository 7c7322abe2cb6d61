import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { useToolRange } from '../../api/use-tool-range.ts';
import { Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Choice, SearchField } from '../../kit/form.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { displayName, fieldsOf, plural, toLabel } from './value.tsx';

type Entity = Output<'retrieve_entities'>['entities'][number];

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

const entitiesOf = ({ entities }: Output<'retrieve_entities'>): readonly Entity[] => entities;
const totalOf = ({ total }: Output<'retrieve_entities'>): number => total;

/** All entities, newest first, or those that match, best first. */
function useEntities(query: string, type: string) {
  const isSearch = query !== '';
  const input = { brief: true, ...(type !== '' && { entity_type: type }) };
  const listed = useToolRange('retrieve_entities', input, {
    itemsOf: entitiesOf,
    totalOf,
    enabled: !isSearch,
  });
  const found = useToolPages(
    'retrieve_entities',
    { ...input, query, limit: 100 },
    ({ next_cursor: cursor }) => (cursor === undefined ? undefined : { cursor }),
    { enabled: isSearch, keepsPrevious: true },
  );
  const hits = useMemo(() => found.data?.pages.flatMap(({ entities }) => entities), [found.data]);
  if (!isSearch) {
    const { first, items, total, onRange } = listed;
    return { state: first, entities: items, unlisted: total - items.length, onRange };
  }
  const onEnd = found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined;
  return { state: found, entities: hits ?? [], hint: found.data?.pages[0]?.hint, unlisted: 0, onEnd };
}

const render = (entity: Entity) => <EntityRow entity={entity} />;

export function EntityList({ entityId }: { readonly entityId: string | undefined }) {
  const [{ q = '', type = '' }, setSearch] = useSearchState();
  const navigate = useNavigate();
  const query = useDeferredValue(q.trim());
  const types = useTool('list_entity_types', {});
  const { state, entities, hint, unlisted, onEnd, onRange } = useEntities(query, type);
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
      {state.error && state.data === undefined && (
        <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
      )}
      {state.isPending && <Loading />}
      {state.data !== undefined && entities.length === 0 && (
        <Empty
          title={query === '' ? 'No entity is stored yet.' : 'Nothing was found.'}
          {...(query === '' && { example: 'fourfold call store_fact subject.type=person subject.name="Alice"' })}
        >
          {query !== '' && hint !== undefined && <p>{hint}</p>}
        </Empty>
      )}
      <VirtualList
        name="Entities"
        listKey={`${type} ${query}`}
        items={entities}
        keyOf={({ entity_id }) => entity_id}
        selectedKey={entityId}
        render={render}
        onOpen={({ entity_id }) =>
          void navigate({
            to: `/truth/${entity_id}`,
            search: { ...(q !== '' && { q }), ...(type !== '' && { type }) },
          } as never)
        }
        onEnd={onEnd}
        onRange={onRange}
      />
      {unlisted > 0 && (
        <p className="list-foot soft small">
          {unlisted.toLocaleString()} older entities are not listed: search, or choose a type.
        </p>
      )}
    </>
  );
}
