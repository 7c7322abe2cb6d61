import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type SubmitEvent, useEffect, useState } from 'react';
import { useCan } from '../../api/caller.tsx';
import { useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { DiffView } from '../../kit/code.tsx';
import { ErrorNote, Note } from '../../kit/feedback.tsx';
import { TextField } from '../../kit/form.tsx';
import { Section } from '../../kit/page.tsx';
import { say } from '../../kit/toast.tsx';
import { FieldChanges } from './field-changes.tsx';
import { changedFields, compareDrafts, type KeptDraft, type RuleDraft, toDraft, useKeptDraft } from './rule-draft.ts';
import type { Rule } from './rule-facts.tsx';
import { RuleForm } from './rule-form.tsx';

/** `add` answers a rejected rule as a result, not as an error. */
export function assertStored(answer: {
  readonly error?: string | undefined;
  readonly feedbackHint?: string | undefined;
}) {
  if (answer.error !== undefined) throw new Error(`${answer.error}. ${answer.feedbackHint ?? ''}`.trim());
}

/** Ctrl or ⌘ with enter saves, also from inside the text. */
export const submitOnEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
};

interface ConflictProps {
  readonly theirs: RuleDraft;
  readonly mine: RuleDraft;
  readonly onKeepEditing: () => void;
  readonly onTakeTheirs: () => void;
}

/** Somebody else was faster: shows both texts, and the person decides. */
const Conflict = ({ theirs, mine, onKeepEditing, onTakeTheirs }: ConflictProps) => (
  <Section title="Changed meanwhile">
    <Note tone="attention">
      <strong>Somebody else changed this rule after you began.</strong>
      <span>Red is their text, green is yours. Nothing is lost: every version is in the history.</span>
      <div className="row wrap">
        <Button onClick={onKeepEditing}>Continue with mine</Button>
        <Button onClick={onTakeTheirs}>Take theirs</Button>
      </div>
    </Note>
    <FieldChanges changes={compareDrafts(theirs, mine)} />
    <DiffView before={theirs.body} after={mine.body} label="Their text and yours" language="md" />
  </Section>
);

interface EditRuleProps {
  readonly rule: Rule;
  readonly etag: string;
  readonly onDone: () => void;
}

export function EditRule({ rule, etag, onDone }: EditRuleProps) {
  const { id } = rule;
  const canDecide = useCan('admin');
  const add = useToolAction('instructions_add');
  const propose = useToolAction('instructions_propose');
  const navigate = useNavigate();
  const { load, keep } = useKeptDraft<KeptDraft>(id);
  const [kept, setKept] = useState<KeptDraft>(
    () => load() ?? { base: etag, original: toDraft(rule), draft: toDraft(rule) },
  );
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { base, original, draft } = kept;
  const changes = changedFields(original, draft, rule.appliesTo?.all);
  const isChanged = Object.keys(changes).length > 0;
  const isOutdated = base !== etag && !isBusy;
  useEffect(() => keep(isChanged ? kept : undefined), [keep, kept, isChanged]);

  function leave() {
    keep(undefined);
    onDone();
  }
  function discard() {
    leave();
    if (!isChanged) return;
    say('Your changes are discarded.', () => {
      keep(kept);
      void navigate({ to: `/instructions/${id}`, search: { edit: '1' } } as never);
    });
  }
  async function store() {
    const entry = { ...changes, id, body: draft.body };
    const answer = await add.mutateAsync({ entry, overwrite: true, base });
    assertStored(answer);
    say(answer.proposed ? 'Your change is proposed.' : 'Saved.');
  }
  async function suggest() {
    const entry = { ...changes, id };
    await propose.mutateAsync({ entry, ...(reason && { reason }) } as never);
    say('Your change is proposed.');
  }
  async function run(save: () => Promise<void>) {
    setBusy(true);
    setError(undefined);
    try {
      await save();
      leave();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (isChanged && !isBusy) void run(canDecide ? store : suggest);
  }
  return (
    <form className="stack" onSubmit={onSubmit} onKeyDown={submitOnEnter} aria-label={`Edit ${rule.title}`}>
      {isOutdated && (
        <Conflict
          theirs={toDraft(rule)}
          mine={draft}
          onKeepEditing={() => setKept({ base: etag, original: toDraft(rule), draft })}
          onTakeTheirs={leave}
        />
      )}
      <RuleForm
        draft={draft}
        begins="text"
        onChange={(change) => setKept((now) => ({ ...now, draft: { ...now.draft, ...change } }))}
      />
      <TextField
        label={canDecide ? 'Reason, if you propose it' : 'Reason'}
        value={reason}
        maxLength={2_000}
        onChange={(event) => setReason(event.target.value)}
      />
      {error !== undefined && <ErrorNote error={error} />}
      <div className="row wrap">
        <Button type="submit" kind="primary" disabled={!isChanged || isBusy || isOutdated} shortcut="ctrl enter">
          {canDecide ? 'Save' : 'Propose'}
        </Button>
        {canDecide && (
          <Button disabled={!isChanged || isBusy} onClick={() => void run(suggest)}>
            Propose instead
          </Button>
        )}
        <Button onClick={discard}>Cancel</Button>
        {!isChanged && <span className="soft">Nothing is changed yet.</span>}
      </div>
    </form>
  );
}
