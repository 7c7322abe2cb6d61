import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolPages } from '../../api/use-tool.ts';
import { Badge, Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Checkbox, Choice, SearchField } from '../../kit/form.tsx';
import { type SearchState, useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { InstructionsFrame } from './nav.tsx';
import { RuleDetail, withoutDetail } from './rule-detail.tsx';
import {
  countRules,
  isOverdue,
  type ListedRule,
  RequirementBadge,
  requirements,
  StatusBadge,
  statuses,
  tiers,
} from './rule-facts.tsx';
import { RulesOverview } from './rules-overview.tsx';

const pageCount = 200;

function toQuery({ q, state, owner, tier, requirement, category, overdue }: SearchState) {
  return {
    brief: true,
    limit: pageCount,
    sort: { field: 'statusOwner', direction: 'asc' },
    ...(requirement && { requirements: [requirement] }),
    filters: {
      ...(q && { text: q }),
      ...(state && { status: [state] }),
      ...(owner && { owners: [owner] }),
      ...(tier && { priorityTiers: [tier] }),
      ...(category && { categories: [category] }),
      ...(overdue && { reviewOverdue: true }),
    },
  };
}

const toChoices = (all: string, values: readonly string[], chosen: string | undefined) =>
  ['', ...new Set([...(chosen ? [chosen] : []), ...values])].map((value) => ({ value, label: value || all }));

function Filters() {
  const [search, setSearch] = useSearchState();
  const canWrite = useCan('write');
  const { data } = useTool('instructions_query', { brief: true, facets: true, limit: 1 });
  const valuesOf = (facet: 'owner' | 'categories') => (data?.facets?.[facet] ?? []).map(({ value }) => value);
  const filters = [
    { name: 'state', label: 'State', all: 'Any state', values: statuses },
    { name: 'owner', label: 'Owner', all: 'Any owner', values: valuesOf('owner') },
    { name: 'tier', label: 'Tier', all: 'Any tier', values: tiers },
    { name: 'requirement', label: 'Requirement', all: 'Any requirement', values: requirements },
    { name: 'category', label: 'Category', all: 'Any category', values: valuesOf('categories') },
  ] as const;
  return (
    <div className="list-head">
      <div className="row narrow-only">
        <h1>Rules</h1>
        {canWrite && (
          <Link className="button push" to="/instructions/-/new">
            New rule
          </Link>
        )}
      </div>
      <SearchField
        label="Filter rules by text"
        value={search['q'] ?? ''}
        onChange={(q) => setSearch({ q }, 'replace')}
      />
      <div className="row wrap">
        {filters.map(({ name, label, all, values }) => (
          <Choice
            key={name}
            label={label}
            choices={toChoices(all, values, search[name])}
            value={search[name] ?? ''}
            onChange={(value) => setSearch({ [name]: value })}
          />
        ))}
        <Checkbox
          label="Review overdue"
          checked={search['overdue'] === '1'}
          onChange={(event) => setSearch({ overdue: event.target.checked ? '1' : undefined })}
        />
      </div>
    </div>
  );
}

interface Row {
  readonly rule: ListedRule;
  /** The first rule of a state and owner. */
  readonly isFirst: boolean;
}

function toRows(rules: readonly ListedRule[]): readonly Row[] {
  return rules.map((rule, index) => {
    const before = rules[index - 1];
    return { rule, isFirst: before?.status !== rule.status || before.owner !== rule.owner };
  });
}

const RuleRow = ({ row: { rule, isFirst } }: { readonly row: Row }) => (
  <div>
    {isFirst && (
      <div className="rule-group">
        <strong>{rule.status}</strong> · <bdi>{rule.owner}</bdi>
      </div>
    )}
    <div className="one-line">
      <bdi>{rule.title}</bdi>
    </div>
    <div className="row wrap soft">
      <RequirementBadge requirement={rule.requirement} />
      {rule.status !== 'approved' && <StatusBadge status={rule.status} />}
      {isOverdue(rule) && <Badge tone="attention">review overdue</Badge>}
      <span className="push">{rule.updatedAt && <Time at={rule.updatedAt} />}</span>
    </div>
  </div>
);

function RuleList({ ruleId }: { readonly ruleId: string | undefined }) {
  const [search] = useSearchState();
  const navigate = useNavigate();
  const canWrite = useCan('write');
  const pages = useToolPages(
    'instructions_query',
    toQuery(search) as never,
    ({ nextCursor }) => (nextCursor === undefined ? undefined : { cursor: nextCursor }),
    { keepsPrevious: true },
  );
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const rows = useMemo(() => toRows(data?.pages.flatMap(({ items }) => items) ?? []), [data]);
  if (error && data === undefined) return <ErrorNote error={error} onRetry={() => void pages.refetch()} />;
  if (data === undefined) return <Loading />;
  if (rows.length === 0) {
    const isFiltered = Object.keys(toQuery(search).filters).length > 0 || search['requirement'] !== undefined;
    return isFiltered ? (
      <Empty title="No rule matches these filters." />
    ) : (
      <Empty title="There are no rules yet." example="fourfold instructions import AGENTS.md">
        <p>
          Rules are what agents are told before they begin a task. Import the rule files of a project, or write one.
        </p>
        {canWrite && <Link to="/instructions/-/import">Import rule files</Link>}
      </Empty>
    );
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {countRules(data.pages[0]?.total ?? 0)}
      </p>
      <VirtualList
        name="Rules"
        listKey={JSON.stringify(toQuery(search))}
        items={rows}
        keyOf={({ rule }) => rule.id}
        render={(row) => <RuleRow row={row} />}
        selectedKey={ruleId}
        onOpen={({ rule }) => void navigate({ to: `/instructions/${rule.id}`, search: withoutDetail(search) } as never)}
        onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
      />
    </>
  );
}

export function Page() {
  const { ruleId } = useParams({ strict: false }) as { readonly ruleId?: string };
  return (
    <InstructionsFrame>
      <Split
        name="Rules"
        shows={ruleId === undefined ? 'list' : 'detail'}
        list={
          <>
            <Filters />
            <RuleList ruleId={ruleId} />
          </>
        }
        detail={ruleId === undefined ? <RulesOverview /> : <RuleDetail key={ruleId} id={ruleId} />}
      />
    </InstructionsFrame>
  );
}
