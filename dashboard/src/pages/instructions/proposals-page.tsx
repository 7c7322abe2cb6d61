import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Output } from '../../api/call.ts';
import { useToolPages } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Badge, Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Choice, SearchField } from '../../kit/form.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import { Time } from '../../kit/time.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { InstructionsFrame } from './nav.tsx';
import { ProposalDetail, verbs } from './proposal-detail.tsx';

type Proposal = Output<'instructions_proposals'>['items'][number];

const states = [
  { value: 'pending', label: 'Waiting' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: 'all', label: 'All' },
] as const;

const ProposalRow = ({ proposal }: { readonly proposal: Proposal }) => (
  <div>
    <div className="one-line">
      {proposal.what && verbs[proposal.what]}: <bdi>{proposal.title ?? proposal.id}</bdi>
    </div>
    {proposal.reason && (
      <div className="one-line soft">
        <bdi>{proposal.reason}</bdi>
      </div>
    )}
    <div className="row wrap soft">
      <Actor of={proposal.by} />
      {proposal.stale && <Badge tone="attention">outdated</Badge>}
      {proposal.state !== 'pending' && <Badge>{proposal.state}</Badge>}
      <span className="push">
        <Time at={proposal.at} />
      </span>
    </div>
  </div>
);

const nothing: Readonly<Record<string, string>> = {
  pending: 'No proposal waits for you.',
  all: 'There are no proposals yet.',
};

export function Page() {
  const { proposalId } = useParams({ strict: false }) as { readonly proposalId?: string };
  const [search, setSearch] = useSearchState();
  const navigate = useNavigate();
  const state = search['state'] ?? 'pending';
  const pages = useToolPages(
    'instructions_proposals',
    { state, limit: 50, ...(search['q'] && { query: search['q'] }) } as never,
    ({ nextCursor }) => (nextCursor === undefined ? undefined : { cursor: nextCursor }),
    { keepsPrevious: true },
  );
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const proposals = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const open = (id: string | undefined) =>
    void navigate({ to: `/instructions/-/proposals${id === undefined ? '' : `/${id}`}`, search } as never);
  const nextAfter = (id: string) => {
    const at = proposals.findIndex(({ proposal_id }) => proposal_id === id);
    return (proposals[at + 1] ?? proposals[at - 1])?.proposal_id;
  };
  const list = () => {
    if (error && data === undefined) return <ErrorNote error={error} onRetry={() => void pages.refetch()} />;
    if (data === undefined) return <Loading />;
    if (proposals.length === 0) {
      return (
        <Empty
          title={nothing[state] ?? 'No proposal is in this state.'}
          example={'instructions_propose {"entry": {"id": "…", "body": "…"}}'}
        >
          <p>Agents and colleagues propose changes with this call. They wait here for an administrator.</p>
        </Empty>
      );
    }
    return (
      <VirtualList
        name="Proposals"
        listKey={`${state} ${search['q'] ?? ''}`}
        items={proposals}
        keyOf={({ proposal_id }) => proposal_id}
        render={(proposal) => <ProposalRow proposal={proposal} />}
        selectedKey={proposalId}
        onOpen={({ proposal_id }) => open(proposal_id)}
        onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
      />
    );
  };
  return (
    <InstructionsFrame>
      <Split
        name="Proposals"
        shows={proposalId === undefined ? 'list' : 'detail'}
        list={
          <>
            <div className="list-head">
              <h1 className="narrow-only">Proposals</h1>
              <SearchField
                label="Filter proposals"
                value={search['q'] ?? ''}
                onChange={(q) => setSearch({ q }, 'replace')}
              />
              <Choice
                label="State"
                choices={states}
                value={state}
                onChange={(value) => setSearch({ state: value === 'pending' ? undefined : value })}
              />
            </div>
            {list()}
          </>
        }
        detail={
          proposalId === undefined ? (
            <Frame title="Proposals">
              <p className="soft">
                {proposals.length > 0
                  ? 'Choose one on the left to see what it changes, or press enter.'
                  : (nothing[state] ?? 'Nothing to show.')}
              </p>
            </Frame>
          ) : (
            <ProposalDetail
              key={proposalId}
              proposalId={proposalId}
              onDecided={() => open(nextAfter(proposalId))}
              onBack={() => open(undefined)}
            />
          )
        }
      />
    </InstructionsFrame>
  );
}
