import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolAction, useToolPages } from '../../api/use-tool.ts';
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
import { TruthFrame } from './truth-frame.tsx';
import { plural, Since, toLabel, toText, useEntityNames, Value } from './value.tsx';

type Contradiction = Output<'list_contradictions'>['contradictions'][number];
type Statement = Contradiction['statements'][number];

const idOf = (one: Statement): string => (one.source_kind === 'payload' ? one.submission_id : one.source_record_id);

function StatementCard({
  one,
  isShown,
  onRetract,
}: {
  readonly one: Statement;
  readonly isShown: boolean;
  readonly onRetract: (() => void) | undefined;
}) {
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
        <dd>{one.source_refs?.join(', ') ?? one.agent_id ?? one.extractor_version ?? one.source_kind}</dd>
        <dt>Recorded by</dt>
        <dd>
          <Actor of={one.actor ?? one.agent_id ?? 'unknown'} />
        </dd>
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

/** Both statements, and the three ways to settle them. */
function Detail({ one }: { readonly one: Contradiction }) {
  const [open, setOpen] = useState<'accept' | 'correct' | Statement>();
  const [reason, setReason] = useState('');
  const accept = useToolAction('accept_contradiction');
  const retract = useToolAction('retract_statement');
  const canWrite = useCan('write') && one.closing === undefined;
  const close = () => setOpen(undefined);
  const name = useNames([one])(one);
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
      <div className="compare">
        {one.statements.map((statement) => (
          <StatementCard
            key={statement.observation_id}
            one={statement}
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
          }}
        >
          <p>
            Both statements stay. The value that counts is <strong>{toText(one.shown?.value).slice(0, 200)}</strong>.
          </p>
          <TextField label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
        </Confirm>
      )}
      {open === 'correct' && (
        <CorrectDialog entityId={one.entity_id} field={one.field} value={one.shown?.value} onClose={close} />
      )}
      {typeof open === 'object' && (
        <Confirm
          title="Retract this statement"
          action="Retract"
          isDanger
          onClose={close}
          onConfirm={async () => {
            await retract.mutateAsync({ id: idOf(open) });
            say('The statement no longer counts. The history still shows it.');
          }}
        >
          <p>Everything that this source stated at that time stops counting from now on. The history keeps it.</p>
        </Confirm>
      )}
    </Frame>
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
            {found.data !== undefined && all.length === 0 && <Empty title="No sources disagree." />}
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
              <p className="soft">
                {id === undefined
                  ? 'Choose one on the left to compare both statements.'
                  : 'It is not in this list; it may be closed.'}
              </p>
            </Frame>
          ) : (
            <Detail key={id} one={shown} />
          )
        }
      />
    </TruthFrame>
  );
}
