import { useState } from 'react';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { AddressField, Choice, SearchField } from '../../kit/form.tsx';
import { type SearchState, useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { type AuditRow, deedOf, nounOf, tellingLabelOf, topics } from './describe-change.ts';
import { VerifyBanner, VerifyButton } from './verify.tsx';

interface TrailProps {
  readonly selected: number | undefined;
  readonly onOpen: (seq: number) => void;
}

const filterNames = ['topic', 'actor', 'tool', 'id', 'from', 'to'] as const;

/** A day of the reader, from its first to its last moment. */
const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
const isDay = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(`${text}T00:00:00`));

function toInput({ topic, actor, tool, id, from, to }: SearchState) {
  return {
    limit: 100,
    ...(topic && { topic }),
    ...(actor && { actor }),
    ...(tool && { tool }),
    ...(id && { id }),
    ...(isDay(from) && { from: startOf(from) }),
    ...(isDay(to) && { to: endOf(to) }),
  };
}

/** The names that the rows show, and the keys of the tenant. */
function useActors(rows: readonly AuditRow[]) {
  const keys = useTool('keys_list', { purpose: 'key', limit: 200 }, { isLive: false });
  const named = new Map<string, string>(rows.map(({ actor, actorName }) => [actor, actorName]));
  for (const { id, name } of keys.data?.keys ?? []) named.set(`key:${id}`, name);
  return [...named].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label));
}

function Filters({ rows }: { readonly rows: readonly AuditRow[] }) {
  const [search, setSearch] = useSearchState();
  const [isOpen, setOpen] = useState(filterNames.some((name) => name !== 'id' && search[name] !== undefined));
  const actors = useActors(rows);
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  const set = (name: (typeof filterNames)[number]) => (value: string) =>
    setSearch({ [name]: value, seq: undefined }, 'replace');
  return (
    <>
      <div className="row">
        <SearchField label="Exact id of an item" value={search['id'] ?? ''} onChange={set('id')} />
        <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      </div>
      {isOpen && (
        <div className="audit-filters">
          <Choice
            label="Kind of item"
            value={search['topic'] ?? ''}
            onChange={set('topic')}
            choices={[
              { value: '', label: 'Every kind' },
              ...topics.map((topic) => ({ value: topic, label: nounOf(topic, 2) })),
            ]}
          />
          <Choice
            label="Who"
            value={search['actor'] ?? ''}
            onChange={set('actor')}
            choices={[{ value: '', label: 'Everybody' }, ...actors]}
          />
          <AddressField label="Tool" value={search['tool'] ?? ''} onText={set('tool')} placeholder="instructions/add" />
          <AddressField label="From" type="date" value={search['from'] ?? ''} onText={set('from')} />
          <AddressField label="To" type="date" value={search['to'] ?? ''} onText={set('to')} />
        </div>
      )}
      {isFiltered && (
        <Button
          kind="quiet"
          onClick={() => setSearch(Object.fromEntries(filterNames.map((name) => [name, undefined])), 'replace')}
        >
          Clear filters
        </Button>
      )}
    </>
  );
}

const Row = ({ row }: { readonly row: AuditRow }) => (
  <>
    <span className="memory-mark" data-memory={row.memory} />
    <div>
      <div className="row">
        <span className="one-line">
          <strong title={row.actor}>{row.actorName}</strong> {deedOf(row)}
        </span>
        <span className="soft push audit-time">
          <Time at={row.at} />
        </span>
      </div>
      <div className="one-line soft" title={row.id}>
        <bdi>{tellingLabelOf(row.topic, row) ?? `with ${row.tool}`}</bdi>
      </div>
    </div>
  </>
);

export function Trail({ selected, onOpen }: TrailProps) {
  const [search] = useSearchState();
  const pages = useToolPages('audit_list', toInput(search), ({ nextCursor }) =>
    nextCursor === undefined ? undefined : { cursor: nextCursor },
  );
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const isShort = rows.length === 0 && pages.hasNextPage;
  return (
    <>
      <div className="list-head">
        <div className="row">
          <h1>Audit</h1>
          <span className="push" />
          <VerifyButton />
        </div>
        <VerifyBanner />
        <Filters rows={rows} />
      </div>
      {pages.error && rows.length === 0 && <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Loading what="Reading the trail" />}
      {pages.data && rows.length === 0 && !isShort && (
        <Empty title="No change matches." example={'scratch_create {"scratch_id": "plan"}'}>
          Every write of an agent or a person adds a row.
        </Empty>
      )}
      {isShort && (
        <Empty title="Nothing in the newest rows.">
          <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
            Search older rows
          </Button>
        </Empty>
      )}
      {rows.length > 0 && (
        <VirtualList
          name="Changes"
          items={rows}
          keyOf={({ seq }) => String(seq)}
          selectedKey={selected === undefined ? undefined : String(selected)}
          onOpen={({ seq }) => onOpen(seq)}
          onEnd={() => {
            if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
          }}
          render={(row) => <Row row={row} />}
        />
      )}
    </>
  );
}
