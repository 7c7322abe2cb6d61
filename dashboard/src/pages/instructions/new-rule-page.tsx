import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useState } from 'react';
import { useCaller, useCan } from '../../api/caller.tsx';
import { useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote } from '../../kit/feedback.tsx';
import { TextField } from '../../kit/form.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { say } from '../../kit/toast.tsx';
import { InstructionsFrame } from './nav.tsx';
import { changedFields, emptyDraft, type RuleDraft, useKeptDraft } from './rule-draft.ts';
import { assertStored, submitOnEnter } from './rule-editor.tsx';
import { RuleForm } from './rule-form.tsx';

const idPattern = '[a-z0-9]([a-z0-9_\\-]{0,118}[a-z0-9])?';

/** `Code review & tests` becomes `code-review-tests`. */
const toId = (title: string): string =>
  title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 80);

interface NewDraft extends RuleDraft {
  readonly typedId?: string;
}

function NewRule() {
  const navigate = useNavigate();
  const canDecide = useCan('admin');
  const { name } = useCaller();
  const add = useToolAction('instructions_add');
  const propose = useToolAction('instructions_propose');
  const { load, keep } = useKeptDraft<NewDraft>();
  const [kept, setKept] = useState<NewDraft>(() => load() ?? { ...emptyDraft, owner: name });
  const { typedId, ...draft } = kept;
  const [error, setError] = useState<unknown>();
  useEffect(() => keep(kept), [keep, kept]);
  const change = (changes: Partial<NewDraft>) => setKept((now) => ({ ...now, ...changes }));
  const id = typedId ?? toId(draft.title);

  async function save() {
    const { body, ...fields } = changedFields({ ...emptyDraft, requirement: 'optional' }, draft);
    const entry = { ...fields, id, body: draft.body };
    if (canDecide) {
      const answer = await add.mutateAsync({ entry, lax: true });
      assertStored(answer);
      if (answer.skipped) throw new Error(`There is a rule with the id ${id} already. Choose another id.`);
      keep(undefined);
      say(answer.appears ? `Saved. Agents get it: ${answer.appears}.` : 'Saved.');
      await navigate({ to: `/instructions/${id}` } as never);
      return;
    }
    const answer = await propose.mutateAsync({ entry });
    keep(undefined);
    say('The new rule is proposed.');
    await navigate({ to: `/instructions/-/proposals/${answer.proposal_id ?? ''}` } as never);
  }
  function discard() {
    keep(undefined);
    void navigate({ to: '/instructions' });
    if (draft.title === '' && draft.body === '') return;
    say('The new rule is discarded.', () => {
      keep(kept);
      void navigate({ to: '/instructions/-/new' } as never);
    });
  }
  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    setError(undefined);
    save().catch(setError);
  }
  return (
    <form className="stack" onSubmit={onSubmit} onKeyDown={submitOnEnter} aria-label="New rule">
      <RuleForm draft={draft} begins="title" onChange={change} />
      <TextField
        label="Id"
        hint="Lower-case letters, digits, - and _. It cannot be changed later."
        required
        pattern={idPattern}
        value={id}
        onChange={(event) => change({ typedId: event.target.value })}
      />
      {error !== undefined && <ErrorNote error={error} />}
      <div className="row">
        <Button type="submit" kind="primary" disabled={draft.body.trim() === ''} shortcut="ctrl enter">
          {canDecide ? 'Save' : 'Propose'}
        </Button>
        <Button onClick={discard}>Cancel</Button>
        {draft.body.trim() === '' && <span className="soft">Write what agents are told.</span>}
      </div>
    </form>
  );
}

export function Page() {
  const canWrite = useCan('write');
  return (
    <InstructionsFrame>
      <Frame title="New rule" answer="What should every agent know or do?">
        {canWrite ? (
          <NewRule />
        ) : (
          <Empty title="Your key may only read. A key with the scope write can propose rules." />
        )}
      </Frame>
    </InstructionsFrame>
  );
}
