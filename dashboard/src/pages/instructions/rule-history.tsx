import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { DiffView } from '../../kit/code.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Note } from '../../kit/feedback.tsx';
import { Choice, TextField } from '../../kit/form.tsx';
import { Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { FieldChanges } from './field-changes.tsx';

type Version = Output<'instructions_history'>['versions'][number];

/** `3..5` compares two versions, `3..` a version with the present. */
function parseCompare(
  text: string | undefined,
): { readonly from: number; readonly to: number | undefined } | undefined {
  const match = /^(\d{1,9})\.\.(\d{0,9})$/.exec(text ?? '');
  if (match === null) return undefined;
  return { from: Number(match[1]), to: match[2] ? Number(match[2]) : undefined };
}

const what = { found: 'was there before', create: 'created', update: 'changed', delete: 'removed' } as const;

const nameOf = ({ number, title }: Version): string => `Version ${number}${title ? `: ${title}` : ''}`;

interface CompareProps {
  readonly id: string;
  readonly from: number;
  readonly to: number | undefined;
}

function Comparison({ id, from, to }: CompareProps) {
  const compared = useTool('instructions_compare', { id, from, texts: true, ...(to !== undefined && { to }) });
  return (
    <Answer of={compared}>
      {({ texts, changes, changedFields }) => (
        <>
          {changedFields.length === 0 && <Note>Both versions say the same.</Note>}
          <FieldChanges changes={changes} />
          <DiffView
            before={texts?.before ?? ''}
            after={texts?.after ?? ''}
            label={`Version ${from} and ${to === undefined ? 'the present' : `version ${to}`}`}
            language="md"
          />
        </>
      )}
    </Answer>
  );
}

interface RollBackProps {
  readonly id: string;
  readonly version: Version;
  /** The version that is replaced; undefined if the rule was removed. */
  readonly present: number | undefined;
  readonly onClose: () => void;
}

function RollBack({ id, version, present, onClose }: RollBackProps) {
  const rollback = useToolAction('instructions_rollback');
  const [reason, setReason] = useState('');
  const undo = (to: number) =>
    void rollback.mutateAsync({ id, to }).then(() => say(`Version ${to} is in force again.`), sayError);
  return (
    <Confirm
      title={`Roll back to version ${version.number}?`}
      action={`Roll back to version ${version.number}`}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await rollback.mutateAsync({ id, to: version.number, ...(reason && { reason }) });
        say(`Rolled back to version ${answer.rolledBackTo}.`, present === undefined ? undefined : () => undo(present));
      }}
    >
      <p>
        Agents are told again what the rule said then. It becomes a new version: nothing of the history is lost, and the
        present text can be brought back in the same way.
      </p>
      <TextField label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2_000} />
    </Confirm>
  );
}

interface VersionRowProps {
  readonly version: Version;
  /** Missing if there is nothing to compare with. */
  readonly onCompare: (() => void) | undefined;
  readonly onRollBack: (() => void) | undefined;
}

const VersionRow = ({ version, onCompare, onRollBack }: VersionRowProps) => (
  <article className="rule-item" aria-label={`Version ${version.number}`}>
    <header>
      <strong>Version {version.number}</strong>
      <span>
        {what[version.what]} <Time at={version.at} />
        {version.by && <> by {version.by === 'file' ? 'an edit on disk' : <Actor of={version.by} />}</>}
        {version.gitAuthor && (
          <>
            {' '}
            (<bdi>{version.gitAuthor}</bdi>)
          </>
        )}
        {version.approvedBy && (
          <>
            , approved by <Actor of={version.approvedBy} />
          </>
        )}
      </span>
      {version.status && version.status !== 'approved' && <Badge>{version.status}</Badge>}
      <span className="row push">
        {onCompare && (
          <Button onClick={onCompare} aria-label={`Compare version ${version.number}`}>
            Compare
          </Button>
        )}
        {onRollBack && (
          <Button onClick={onRollBack} aria-label={`Roll back to version ${version.number}`}>
            Roll back
          </Button>
        )}
      </span>
    </header>
    {version.reason && version.reason !== what[version.what] && (
      <div className="soft" dir="auto">
        {version.reason}
      </div>
    )}
  </article>
);

/** Every version of a rule, and the difference between any two. */
export function RuleHistory({ id, isThere }: { readonly id: string; readonly isThere: boolean }) {
  const [search, setSearch] = useSearchState();
  const canDecide = useCan('admin');
  const [rollingBack, setRollingBack] = useState<Version>();
  const pages = useToolPages('instructions_history', { id, limit: 50 }, ({ nextBefore }) =>
    nextBefore === undefined ? undefined : { before: nextBefore },
  );
  const compare = parseCompare(search['compare']);
  const setCompare = (from: number, to: number | undefined) =>
    setSearch({ compare: `${from}..${to ?? ''}`, tab: isThere ? 'history' : undefined });
  return (
    <Answer of={pages}>
      {({ pages: [first, ...rest] }) => {
        const versions = [first, ...rest].flatMap((page) => page?.versions ?? []);
        const newest = versions[0]?.number ?? 0;
        const choices = versions.map((version) => ({ value: String(version.number), label: nameOf(version) }));
        if (versions.length === 0) return <Note>{first?.hint ?? 'Nothing is recorded yet.'}</Note>;
        return (
          <>
            {compare && (
              <Section
                title="Difference"
                actions={<Button onClick={() => setSearch({ compare: undefined })}>Close</Button>}
              >
                <div className="row wrap">
                  <Choice
                    label="From version"
                    choices={choices}
                    value={String(compare.from)}
                    onChange={(value) => setCompare(Number(value), compare.to)}
                  />
                  <span className="soft">to</span>
                  <Choice
                    label="To version"
                    choices={[...(isThere ? [{ value: '', label: 'The present' }] : []), ...choices]}
                    value={compare.to === undefined ? '' : String(compare.to)}
                    onChange={(value) => setCompare(compare.from, value === '' ? undefined : Number(value))}
                  />
                </div>
                <Comparison id={id} {...compare} />
              </Section>
            )}
            {versions.map((version) => (
              <VersionRow
                key={version.number}
                version={version}
                onCompare={
                  newest > 1
                    ? () =>
                        version.number === newest ? setCompare(newest - 1, newest) : setCompare(version.number, newest)
                    : undefined
                }
                onRollBack={
                  canDecide && version.what !== 'delete' && (version.number !== newest || !isThere)
                    ? () => setRollingBack(version)
                    : undefined
                }
              />
            ))}
            {pages.hasNextPage && <Button onClick={() => void pages.fetchNextPage()}>Show older versions</Button>}
            {rollingBack && (
              <RollBack
                id={id}
                version={rollingBack}
                present={isThere ? newest : undefined}
                onClose={() => setRollingBack(undefined)}
              />
            )}
          </>
        );
      }}
    </Answer>
  );
}
