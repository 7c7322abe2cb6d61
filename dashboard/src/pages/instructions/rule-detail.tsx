import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Input } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { CodeEditor } from '../../kit/code.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Empty, Note } from '../../kit/feedback.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { Markdown } from '../../kit/markdown.tsx';
import { Page, PageAnswer, Section } from '../../kit/page.tsx';
import { type SearchState, useSearchState } from '../../kit/search-state.ts';
import { useShortcuts } from '../../kit/shortcuts.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { RuleLink } from './nav.tsx';
import { EditRule } from './rule-editor.tsx';
import { AppliesWhen, isOverdue, RequirementBadge, type Rule, StatusBadge } from './rule-facts.tsx';
import { RuleHistory } from './rule-history.tsx';
import { RuleUse } from './rule-use.tsx';

/** A longer body is shown as it is: rendering one long line takes seconds. */
const renderedChars = 20_000;

function Content({ rule }: { readonly rule: Rule }) {
  const [{ raw }, setSearch] = useSearchState();
  const isLong = rule.body.length > renderedChars;
  const isRaw = raw === '1' || isLong;
  return (
    <>
      <Section title="Applies when">
        <AppliesWhen appliesTo={rule.appliesTo} requirement={rule.requirement} />
      </Section>
      <Section
        title="What agents are told"
        actions={
          <>
            {!isLong && (
              <Button
                kind="quiet"
                aria-pressed={isRaw}
                onClick={() => setSearch({ raw: isRaw ? undefined : '1' }, 'replace')}
              >
                {isRaw ? 'Rendered' : 'As written'}
              </Button>
            )}
            <Copy text={rule.body} what="text" />
          </>
        }
      >
        {isRaw ? (
          <CodeEditor text={rule.body} label={`Text of ${rule.id}`} language="md" isReadOnly />
        ) : (
          <div dir="auto">
            <Markdown text={rule.body} />
          </div>
        )}
      </Section>
      {rule.rationale && (
        <Section title="Why">
          <p className="prose" dir="auto">
            {rule.rationale}
          </p>
        </Section>
      )}
      {rule.examples && rule.examples.length > 0 && (
        <Section title="Examples">
          {rule.examples.map((example) => (
            <pre className="code" key={example}>
              {example}
            </pre>
          ))}
        </Section>
      )}
    </>
  );
}

function Details({ rule, etag }: { readonly rule: Rule; readonly etag: string | undefined }) {
  const rows = [
    ['Id', rule.id],
    ['Owner', rule.owner],
    ['Tier', `${rule.priorityTier} (priority ${rule.priority})`],
    ['Audience', rule.audience],
    ['Classification', rule.classification],
    ['Categories', rule.categories.join(', ')],
    ['Tags', rule.tags?.join(', ')],
    ['Depends on', rule.dependencies?.join(', ')],
    ['Replaces', rule.supersedes],
    ['Replaced by', rule.deprecatedBy],
    ['Workspace', rule.workspaceId],
    ['SHA-256 of the text', rule.sourceHash],
    ['SHA-256 of the entry', etag],
  ] as const;
  const { body: _body, ...fields } = rule;
  return (
    <>
      <dl className="facts">
        {rows.map(([name, value]) =>
          value ? (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ) : null,
        )}
        <dt>Created</dt>
        <dd>
          <Time at={rule.createdAt} />
        </dd>
        {rule.nextReviewDue && (
          <>
            <dt>Next review</dt>
            <dd>
              <Time at={rule.nextReviewDue} as="day" />
            </dd>
          </>
        )}
      </dl>
      <Section title="Entry">
        <JsonTree value={fields} />
      </Section>
    </>
  );
}

function RemoveRule({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const remove = useToolAction('instructions_remove');
  const restore = useToolAction('instructions_restore');
  const canDecide = useCan('admin');
  async function run() {
    const answer = await remove.mutateAsync({ ids: [rule.id] });
    const undo = () => void restore.mutateAsync({ ids: [rule.id] }).then(() => say(`${rule.title} is back.`), sayError);
    if (answer.removed > 0) say(`${rule.title} was removed.`, undo);
    else say(answer.proposed ? 'The removal is proposed.' : 'Nothing was removed.');
  }
  return (
    <Confirm
      title={canDecide ? 'Remove this rule?' : 'Propose to remove this rule?'}
      action={canDecide ? 'Remove' : 'Propose'}
      isDanger
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Agents no longer get <strong>{rule.title}</strong>.{' '}
        {canDecide ? 'It stays under Removed, and Undo brings it back.' : 'An administrator decides.'}
      </p>
    </Confirm>
  );
}

function RuleActions({ rule, onEdit }: { readonly rule: Rule; readonly onEdit: () => void }) {
  const canWrite = useCan('write');
  const canDecide = useCan('admin');
  const [isRemoving, setRemoving] = useState(false);
  const govern = useToolAction('instructions_governance_update');
  const change = (patch: Input<'instructions_governance_update'>['patch'], text: string, undo?: () => void) =>
    void govern.mutateAsync({ id: rule.id, patch }).then(() => say(text, undo), sayError);
  function approve() {
    const { status } = rule;
    change({ status: 'approved' }, `${rule.title} is approved.`, () =>
      change({ status }, `${rule.title} is in the state ${status} again.`),
    );
  }
  if (!canWrite) return null;
  return (
    <>
      {canDecide && (rule.status === 'draft' || rule.status === 'review') && (
        <Button kind="primary" disabled={govern.isPending} onClick={approve}>
          Approve
        </Button>
      )}
      {canDecide && isOverdue(rule) && (
        <Button onClick={() => change({ lastReviewedAt: new Date().toISOString() }, 'Marked as reviewed.')}>
          Mark as reviewed
        </Button>
      )}
      <Button onClick={onEdit} shortcut="e">
        {canDecide ? 'Edit' : 'Propose a change'}
      </Button>
      <Button kind="danger" onClick={() => setRemoving(true)}>
        {canDecide ? 'Remove' : 'Propose removal'}
      </Button>
      {isRemoving && <RemoveRule rule={rule} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** The filters of the list stay when another rule is opened; what was shown of the former rule does not. */
export const withoutDetail = ({ tab, compare, edit, raw, ...filters }: SearchState): SearchState => filters;

function BackToList() {
  const [search] = useSearchState();
  return (
    <Link className="button" to="/instructions" search={withoutDetail(search)}>
      All rules
    </Link>
  );
}

function Shown({ rule, etag }: { readonly rule: Rule; readonly etag: string | undefined }) {
  const [search, setSearch] = useSearchState();
  const { edit } = search;
  const canWrite = useCan('write');
  const open = useTool('instructions_proposals', { id: rule.id, state: 'pending', limit: 5 });
  const isEditing = edit === '1' && canWrite;
  const navigate = useNavigate();
  const toList = () => void navigate({ to: '/instructions', search: withoutDetail(search) } as never);
  useShortcuts('Rule', {
    h: { what: 'History', run: () => setSearch({ tab: 'history', edit: undefined }) },
    ...(canWrite && { e: { what: 'Edit', run: () => setSearch({ edit: '1' }) } }),
    Escape: { what: 'Back', run: () => (isEditing ? setSearch({ edit: undefined }) : toList()) },
  });
  const waiting = open.data?.items ?? [];
  return (
    <Page
      title={rule.title}
      answer={
        <>
          <RequirementBadge requirement={rule.requirement} /> <StatusBadge status={rule.status} />{' '}
          {isOverdue(rule) && <Badge tone="attention">review overdue</Badge>} owned by <bdi>{rule.owner}</bdi>, version{' '}
          {rule.version}, changed <Time at={rule.updatedAt} />
        </>
      }
      actions={
        <>
          <BackToList />
          {!isEditing && <RuleActions rule={rule} onEdit={() => setSearch({ edit: '1' })} />}
        </>
      }
    >
      {waiting.length > 0 && (
        <Note tone="attention">
          {waiting.map(({ proposal_id, by, reason }) => (
            <span key={proposal_id}>
              <Link to={`/instructions/-/proposals/${proposal_id}` as never}>A proposal waits</Link> from{' '}
              <Actor of={by} />
              {reason && <>: {reason}</>}
            </span>
          ))}
        </Note>
      )}
      {isEditing ? (
        <EditRule rule={rule} etag={etag ?? rule.sourceHash} onDone={() => setSearch({ edit: undefined }, 'replace')} />
      ) : (
        <Tabs
          name="Rule"
          tabs={[
            { id: 'content', label: 'Content', content: () => <Content rule={rule} /> },
            { id: 'history', label: 'History', content: () => <RuleHistory id={rule.id} isThere /> },
            { id: 'use', label: 'Use and signals', content: () => <RuleUse id={rule.id} /> },
            { id: 'details', label: 'Details', content: () => <Details rule={rule} etag={etag} /> },
          ]}
        />
      )}
    </Page>
  );
}

function Missing({ id, problem }: { readonly id: string; readonly problem: string | undefined }) {
  // The newest version is the removal, which has no title.
  const history = useTool('instructions_history', { id, limit: 2 });
  const title = history.data?.versions.find((version) => version.title !== undefined)?.title;
  return (
    <Page title={title ?? id} actions={<BackToList />}>
      {problem && (
        <Note tone="danger">
          <strong>The file of this rule cannot be served.</strong>
          <span>{problem}</span>
        </Note>
      )}
      <Answer of={history}>
        {({ count, versions: [newest] }) => {
          if (count === 0) return <Empty title="There is no rule with this id, and there was none." />;
          return (
            <>
              <Note tone="attention">
                <span>
                  This rule was removed{' '}
                  {newest?.by && (
                    <>
                      by <Actor of={newest.by} />{' '}
                    </>
                  )}
                  {newest && <Time at={newest.at} />}.{' '}
                  {newest?.renamedTo && (
                    <>
                      It is now <RuleLink id={newest.renamedTo} />.
                    </>
                  )}
                </span>
              </Note>
              <RuleHistory id={id} isThere={false} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

export function RuleDetail({ id }: { readonly id: string }) {
  const found = useTool('instructions_get_enhanced', { id });
  return (
    <PageAnswer of={found} title="Rule">
      {({ item, etag, problem }) =>
        item === undefined ? (
          <Missing id={id} problem={problem && `${problem.file}: ${problem.problem}`} />
        ) : (
          <Shown rule={item} etag={etag} />
        )
      }
    </PageAnswer>
  );
}
