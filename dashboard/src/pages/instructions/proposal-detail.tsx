import { type SubmitEvent, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { callTool, ToolError } from '../../api/call.ts';
import { useCaller, useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { CodeEditor, DiffView } from '../../kit/code.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Badge, Empty, ErrorNote, Note } from '../../kit/feedback.tsx';
import { TextArea } from '../../kit/form.tsx';
import { Page, PageAnswer, Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { useShortcuts } from '../../kit/shortcuts.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { FieldChanges } from './field-changes.tsx';
import { RuleLink } from './nav.tsx';
import { submitOnEnter } from './rule-editor.tsx';

type Proposal = Output<'instructions_proposals'>['items'][number];

export const verbs = { create: 'New rule', update: 'Change', delete: 'Removal' } as const;

interface DecisionProps {
  readonly proposal: Proposal;
  readonly onDecided: () => void;
}

function Reject({ proposal, onDecided, onClose }: DecisionProps & { readonly onClose: () => void }) {
  const reject = useToolAction('instructions_reject');
  const [reason, setReason] = useState('');
  return (
    <Confirm
      title="Reject this proposal?"
      action="Reject"
      isDanger
      onClose={onClose}
      onConfirm={async () => {
        await reject.mutateAsync({ proposal_id: proposal.proposal_id, reason });
        say('Rejected. Its author sees the reason.');
        onDecided();
      }}
    >
      <p>The rule stays as it is. The proposal and your reason are kept.</p>
      <TextArea
        label="Reason"
        required
        value={reason}
        maxLength={2_000}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  );
}

/** Approves it with another text, in one step. */
function EditProposal({ proposal, onDecided, onClose }: DecisionProps & { readonly onClose: () => void }) {
  const approve = useToolAction('instructions_approve');
  const proposed = proposal.texts?.proposed ?? '';
  const [body, setBody] = useState(proposed);
  const [error, setError] = useState<unknown>();
  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const rebase = proposal.stale === true;
    approve.mutateAsync({ proposal_id: proposal.proposal_id, edit: { body }, rebase }).then(() => {
      say('Approved with your text.');
      onDecided();
    }, setError);
  }
  return (
    <form className="stack" onSubmit={onSubmit} onKeyDown={submitOnEnter} aria-label="Edit the proposal">
      <CodeEditor text={body} label="Proposed text" language="md" hasFocus onChange={setBody} />
      {error !== undefined && <ErrorNote error={error} />}
      <div className="row wrap">
        <Button type="submit" kind="primary" disabled={body.trim() === '' || approve.isPending} shortcut="ctrl enter">
          Approve this text
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

const Difference = ({ proposal }: { readonly proposal: Proposal }) => {
  const { base, current, proposed } = proposal.texts ?? { base: null, current: null, proposed: null };
  const isStale = proposal.stale === true && current !== base;
  return (
    <>
      <Section title={isStale ? 'What it would change now' : 'What it changes'}>
        <FieldChanges changes={proposal.changes} />
        <DiffView
          before={(isStale ? current : base) ?? ''}
          after={proposed ?? ''}
          label={`Proposed text of ${proposal.id}`}
          language="md"
        />
      </Section>
      {isStale && (
        <Section title="What changed since it was proposed">
          <DiffView
            before={base ?? ''}
            after={current ?? ''}
            label="Text it was made from, and the present one"
            language="md"
          />
        </Section>
      )}
    </>
  );
};

/** What takes an approval back. The present version must be known before it is replaced. */
function usePrepareUndo(): (proposal: Proposal) => Promise<() => Promise<unknown>> {
  const rollback = useToolAction('instructions_rollback');
  const remove = useToolAction('instructions_remove');
  const restore = useToolAction('instructions_restore');
  return async ({ id, what }) => {
    if (what === 'create') return () => remove.mutateAsync({ ids: [id] });
    if (what === 'delete') return () => restore.mutateAsync({ ids: [id] });
    const { versions } = await callTool('instructions_history', { id, limit: 1 });
    return () => rollback.mutateAsync({ id, to: versions[0]!.number });
  };
}

interface ShownProps extends DecisionProps {
  readonly onBack: () => void;
}

function Shown({ proposal, onDecided, onBack }: ShownProps) {
  const [{ edit }, setSearch] = useSearchState();
  const { actor } = useCaller();
  const canDecide = useCan('admin') && proposal.state === 'pending';
  const canEdit = canDecide && proposal.what !== 'delete';
  const canWithdraw = useCan('write') && proposal.state === 'pending' && proposal.by === actor;
  const approve = useToolAction('instructions_approve');
  const propose = useToolAction('instructions_propose');
  const [isRejecting, setRejecting] = useState(false);
  const [isOutdated, setOutdated] = useState(false);
  const isEditing = edit === '1' && canEdit;
  const { proposal_id, id, title = id } = proposal;
  const prepareUndo = usePrepareUndo();
  const leaveEdit = () => setSearch({ edit: undefined }, 'replace');

  async function accept(rebase: boolean) {
    const undo = await prepareUndo(proposal);
    await approve.mutateAsync({ proposal_id, rebase });
    say(`Approved: ${title}.`, () => void undo().then(() => say('The approval is undone.'), sayError));
    onDecided();
  }
  function start() {
    if (approve.isPending) return;
    if (proposal.stale) {
      setOutdated(true);
      return;
    }
    accept(false).catch((error: unknown) => {
      if (error instanceof ToolError && error.code === 'CONFLICT') setOutdated(true);
      else sayError(error);
    });
  }
  const withdraw = () =>
    void propose.mutateAsync({ withdraw: proposal_id }).then(() => {
      say('Withdrawn.');
      onDecided();
    }, sayError);
  useShortcuts('Proposal', {
    ...(canDecide && {
      a: { what: 'Approve', run: start },
      r: { what: 'Reject', run: () => setRejecting(true) },
    }),
    ...(canEdit && { e: { what: 'Edit and approve', run: () => setSearch({ edit: '1' }) } }),
    Escape: { what: 'Back', run: () => (isEditing ? leaveEdit() : onBack()) },
  });
  return (
    <Page
      title={`${proposal.what ? verbs[proposal.what] : 'Proposal'}: ${title}`}
      answer={
        <>
          {proposal.state !== 'pending' && <Badge>{proposal.state}</Badge>}{' '}
          {proposal.stale && <Badge tone="attention">the rule has changed since</Badge>} proposed by{' '}
          <Actor of={proposal.by} /> <Time at={proposal.at} />
        </>
      }
      actions={
        <>
          <Button onClick={onBack}>All proposals</Button>
          {canDecide && (
            <>
              <Button kind="primary" onClick={start} disabled={approve.isPending} shortcut="a">
                Approve
              </Button>
              <Button onClick={() => setRejecting(true)} shortcut="r">
                Reject
              </Button>
            </>
          )}
          {canEdit && (
            <Button onClick={() => setSearch({ edit: '1' })} shortcut="e">
              Edit
            </Button>
          )}
          {canWithdraw && <Button onClick={withdraw}>Withdraw</Button>}
        </>
      }
    >
      {proposal.reason && (
        <Section title="Reason">
          <p className="prose" dir="auto">
            {proposal.reason}
          </p>
        </Section>
      )}
      {proposal.decidedBy && (
        <Note>
          <span>
            {proposal.state} by <Actor of={proposal.decidedBy} />{' '}
            {proposal.decidedAt && <Time at={proposal.decidedAt} />}
          </span>
          {proposal.decision && <span dir="auto">{proposal.decision}</span>}
        </Note>
      )}
      <p>
        {proposal.what === 'create' && proposal.state !== 'approved' ? (
          <span className="soft">
            There is no rule with the id <bdi className="mono">{id}</bdi> yet.
          </span>
        ) : (
          <RuleLink id={id}>Open the rule</RuleLink>
        )}
      </p>
      {isEditing ? (
        <EditProposal
          proposal={proposal}
          onDecided={() => {
            leaveEdit();
            onDecided();
          }}
          onClose={leaveEdit}
        />
      ) : (
        <Difference proposal={proposal} />
      )}
      {isRejecting && <Reject proposal={proposal} onDecided={onDecided} onClose={() => setRejecting(false)} />}
      {isOutdated && (
        <Confirm
          title="The rule has changed since it was proposed"
          action="Approve nevertheless"
          onConfirm={() => accept(true)}
          onClose={() => setOutdated(false)}
        >
          <p>
            Approving sets the proposed fields of the present rule: its text becomes the proposed one. The version that
            is replaced stays in the history.
          </p>
        </Confirm>
      )}
    </Page>
  );
}

interface ProposalDetailProps {
  readonly proposalId: string;
  /** Opens the next one. */
  readonly onDecided: () => void;
  readonly onBack: () => void;
}

export function ProposalDetail({ proposalId, onDecided, onBack }: ProposalDetailProps) {
  const found = useTool('instructions_proposals', { proposal_id: proposalId });
  if (found.error instanceof ToolError && found.error.status === 404) {
    return (
      <Page title="Proposal">
        <Empty title="There is no such proposal.">
          <Button onClick={onBack}>All proposals</Button>
        </Empty>
      </Page>
    );
  }
  return (
    <PageAnswer of={found} title="Proposal">
      {({ items: [proposal] }) => <Shown proposal={proposal!} onDecided={onDecided} onBack={onBack} />}
    </PageAnswer>
  );
}
