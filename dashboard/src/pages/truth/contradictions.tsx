import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Badge, Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Choice, TextField } from '../../kit/form.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import { Time } from '../../kit/time.tsx';
import { say } from '../../kit/toast.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { CorrectDialog } from './correct-dialog.tsx';
import { RetractDialog } from './retract-dialog.tsx';
import { TruthFrame } from './truth-frame.tsx';
import { nameOfSource, plural, Since, toLabel, toText, useEntityNames, Value } from './value.tsx';

type Contradiction = Output<'list_contradictions'>['contradictions'][number];
type Statement = Contradiction['statements'][number];

const idOf = (one: Statement): string => (one.source_kind === 'payload' ? one.submission_id : one.source_record_id);

interface StatementCardProps {
  readonly one: Statement;
  readonly origin: Output<'get_field_history'>['history'][number] | undefined;
  readonly isShown: boolean;
  readonly onRetract: (() => void) | undefined;
}

/** A file opens; other sources have only a name. */
function SourceName({ one, origin }: Pick<StatementCardProps, 'one' | 'origin'>) {
  const name = origin === undefined ? (one.source_refs?.join(', ') ?? toLabel(one.source_kind)) : nameOfSource(origin);
  return one.source_kind === 'record' ? (
    <Link to="/truth/records" search={{ id: one.source_record_id }}>
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <bdi>{name}</bdi>
  );
}

function StatementCard({ one, origin, isShown, onRetract }: StatementCardProps) {
  const actor = one.actor ?? one.agent_id ?? origin?.actor;
  return (
    <section aria-label={toText(one.value)}>
      <h2>{one.ended ? 'ended' : <Value value={one.value} />}</h2>
      {isShown && <Badge tone="ok">shown now</Badge>}
      <dl className="facts">
        <dt>Since</dt>
        <dd>
          <Since at={one.effective_at} />
        </dd>
        <dt>Source</dt>
        <dd>
          <SourceName one={one} origin={origin} />
          {origin?.quote !== undefined && (
            <p className="soft">
              <bdi>“{origin.quote}”</bdi>
            </p>
          )}
        </dd>
        {actor !== undefined && (
          <>
            <dt>Recorded by</dt>
            <dd>
              <Actor of={actor} />
            </dd>
          </>
        )}
        <dt>Recorded</dt>
        <dd>
          <Time at={one.created_at} />
        </dd>
      </dl>
      {onRetract && (
        <Button kind="danger" onClick={onRetract}>
          Retract this statement…
        </Button>
      )}
    </section>
  );
}

/** Names of the entities that contradictions are about. */
function useNames(all: readonly Contradiction[]): (one: Contradiction) => string {
  const nameOf = useEntityNames(all.map(({ entity_id }) => entity_id));
  return ({ entity_id, name }) => nameOf({ entity_id, canonical_name: name });
}

/** Statements of the field whose sources are named. */
const historyCount = 100;

/** Both statements, and the three ways to settle them. */
function Detail({ one, onClosed }: { readonly one: Contradiction; readonly onClosed: () => void }) {
  const [open, setOpen] = useState<'accept' | 'correct' | Statement>();
  const [reason, setReason] = useState('');
  const accept = useToolAction('accept_contradiction');
  const canWrite = useCan('write') && one.closing === undefined;
  const close = () => setOpen(undefined);
  const name = useNames([one])(one);
  const history = useTool('get_field_history', { entity_id: one.entity_id, field: one.field, limit: historyCount });
  const origins = new Map((history.data?.history ?? []).map((origin) => [origin.observation_id, origin]));
  return (
    <Frame
      title={`${toLabel(one.field)} of ${name}`}
      answer={
        one.closing === undefined ? (
          <>
            Two sources give different values for the same time.{' '}
            <Link to={`/truth/${one.entity_id}` as never}>Open {name}</Link>
          </>
        ) : (
          <>
            Closed by {one.closing.closed_by} <Time at={one.closing.closed_at} />
          </>
        )
      }
      actions={
        canWrite && (
          <>
            <Button onClick={() => setOpen('accept')}>Accept…</Button>
            <Button kind="primary" onClick={() => setOpen('correct')}>
              Correct…
            </Button>
          </>
        )
      }
    >
      <Link className="truth-back" to="/truth/contradictions">
        Back to the list
      </Link>
      <div className="compare">
        {one.statements.map((statement) => (
          <StatementCard
            key={statement.observation_id}
            one={statement}
            origin={origins.get(statement.observation_id)}
            isShown={statement.observation_id === one.shown?.observation_id}
            onRetract={canWrite ? () => setOpen(statement) : undefined}
          />
        ))}
      </div>
      {open === 'accept' && (
        <Confirm
          title="Accept the contradiction"
          action="Accept"
          onClose={close}
          onConfirm={async () => {
            await accept.mutateAsync({
              contradiction_id: one.contradiction_id,
              ...(reason.trim() !== '' && { reason: reason.trim() }),
            });
            say('Accepted: both statements stay, and the value that is shown counts.');
            onClosed();
          }}
        >
          <p>
            Both statements stay. The value that counts is <strong>{toText(one.shown?.value).slice(0, 200)}</strong>.
          </p>
          <TextField label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
        </Confirm>
      )}
      {open === 'correct' && (
        <CorrectDialog
          entityId={one.entity_id}
          field={one.field}
          value={one.shown?.value}
          onClose={close}
          onDone={onClosed}
        />
      )}
      {typeof open === 'object' && (
        <RetractDialog
          id={idOf(open)}
          sourceKind={open.source_kind}
          what={open.source_kind === 'correction' ? 'correction' : 'source'}
          onClose={close}
          onDone={onClosed}
        />
      )}
    </Frame>
  );
}

interface NotListedProps {
  readonly isSeeking: boolean;
  readonly canWiden: boolean;
  readonly onWiden: () => void;
}

/** The address names a contradiction that is further down, closed, or gone. */
function NotListed({ isSeeking, canWiden, onWiden }: NotListedProps) {
  if (isSeeking) return <Loading what="Looking for it" />;
  if (!canWiden) return <Empty title="No contradiction has this address." />;
  return (
    <Empty title="This contradiction is not in the list.">
      It may be closed.
      <Button onClick={onWiden}>Look among all</Button>
    </Empty>
  );
}

const statuses = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
];

export function Page() {
  const [{ id, status = 'open' }, setSearch] = useSearchState();
  const found = useToolPages(
    'list_contradictions',
    { status: status as 'open', limit: 50 },
    ({ next_cursor: cursor }) => (cursor === undefined ? undefined : { cursor }),
  );
  const all = found.data?.pages.flatMap(({ contradictions }) => contradictions) ?? [];
  const shown = all.find(({ contradiction_id }) => contradiction_id === id);
  const nameOf = useNames(all);
  const { hasNextPage, isFetching, fetchNextPage } = found;
  const isSought = id !== undefined && shown === undefined;
  useEffect(() => {
    if (isSought && hasNextPage && !isFetching) void fetchNextPage();
  }, [isSought, hasNextPage, isFetching, fetchNextPage]);
  const isSeeking = found.isPending || hasNextPage;
  return (
    <TruthFrame>
      <Split
        name="Contradictions"
        shows={id === undefined ? 'list' : 'detail'}
        list={
          <>
            <div className="list-head">
              <h1 className="visually-hidden">Contradictions</h1>
              <Choice
                label="State"
                value={status}
                choices={statuses}
                onChange={(value) => setSearch({ status: value, id: undefined })}
              />
            </div>
            {found.error && found.data === undefined && (
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            )}
            {found.isPending && <Loading />}
            {found.data !== undefined && all.length === 0 && (
              <Empty title={status === 'open' ? 'No sources disagree.' : 'There is no contradiction.'}>
                When two sources give a field different values for the same time, both wait here for a decision.
              </Empty>
            )}
            <VirtualList
              name="Contradictions"
              items={all}
              keyOf={({ contradiction_id }) => contradiction_id}
              selectedKey={id}
              onOpen={({ contradiction_id }) => setSearch({ id: contradiction_id })}
              onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
              render={(one) => (
                <div>
                  <strong className="one-line truth-line">
                    <bdi>{nameOf(one)}</bdi> · {toLabel(one.field)}
                  </strong>
                  <small className="soft one-line truth-line">
                    {one.statements
                      .map(({ value, ended }) => (ended ? 'ended' : toText(value).slice(0, 60)))
                      .join(' or ')}
                  </small>
                </div>
              )}
            />
          </>
        }
        detail={
          shown === undefined ? (
            <Frame
              title="Contradictions"
              answer={
                all.length === 0
                  ? undefined
                  : `${found.hasNextPage ? 'More than ' : ''}${plural(all.length, 'contradiction')}.`
              }
            >
              {id === undefined ? (
                all.length > 0 && <p className="soft">Choose one on the left to compare both statements.</p>
              ) : (
                <NotListed
                  isSeeking={isSeeking}
                  canWiden={status !== 'all'}
                  onWiden={() => setSearch({ status: 'all' })}
                />
              )}
            </Frame>
          ) : (
            <Detail key={id} one={shown} onClosed={() => setSearch({ id: undefined })} />
          )
        }
      />
    </TruthFrame>
  );
}
