import { type SubmitEvent, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Answer, Badge, Empty, Note } from '../../kit/feedback.tsx';
import { Checkbox, TextArea, TextField } from '../../kit/form.tsx';
import { Go } from '../../kit/go.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { type SearchState, useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { toLabel } from '../truth/value.tsx';
import {
  BudgetBar,
  ItemLink,
  labelOf,
  type Memory,
  MemoryMark,
  memories,
  partOf,
  RecallFrame,
  tokensIn,
} from './memories.tsx';

type Recalled = Output<'recall'>;
type Receipt = Output<'recall_receipt'>;

const defaultBudget = '1500';

/** The receipt has the size of each item. Without one the whole is shared out by the lengths of the parts. */
function toParts(answer: Recalled, receipt: Receipt | undefined) {
  const chars = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
  const whole = chars(answer);
  const tokensOf = (memory: Memory): number =>
    receipt === undefined
      ? Math.round((answer.tokens * chars(answer[partOf[memory]])) / whole)
      : tokensIn(receipt.items, memory);
  return memories.map((memory) => ({
    memory,
    tokens: tokensOf(memory),
    leftOut: answer.left_out?.[partOf[memory]] ?? 0,
  }));
}

interface ShownItem {
  readonly memory: Memory;
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly marks: readonly string[];
}

const marksOf = (item: {
  readonly untrusted?: true | undefined;
  readonly cut?: true | undefined;
}): readonly string[] => [...(item.untrusted ? ['untrusted'] : []), ...(item.cut ? ['cut'] : [])];

const shortTextChars = 160;

/** Names of items whose ids say little, by memory and id. */
type Names = ReadonlyMap<string, string>;

const namesIn = (receipt: Receipt | undefined): Names =>
  new Map((receipt?.items ?? []).flatMap(({ memory, id, name }) => (name ? [[`${memory} ${id}`, name] as const] : [])));

const idOfNote = ({ scratch_id, cell_id }: { readonly scratch_id: string; readonly cell_id?: string | undefined }) =>
  cell_id === undefined ? scratch_id : `${scratch_id}/${cell_id}`;

const toItems = ({ rules = [], facts = [], notes = [], docs = [] }: Recalled, names: Names): readonly ShownItem[] => [
  ...rules.map((rule) => ({
    memory: 'instructions' as const,
    id: rule.id,
    name: rule.title,
    about: rule.why ?? '',
    marks: [rule.requirement, ...(rule.may_apply ? ['may apply'] : []), ...marksOf(rule)],
  })),
  ...facts.map((fact) => ({
    memory: 'truth' as const,
    id: fact.entity_id,
    name: `${names.get(`truth ${fact.entity_id}`) ?? fact.name} (${fact.type})`,
    about: [fact.as_of && `as of ${fact.as_of}`, fact.source && `from ${fact.source}`].filter(Boolean).join(', '),
    marks: marksOf(fact),
  })),
  ...notes.map((note) => ({
    memory: 'notebooks' as const,
    id: idOfNote(note),
    name: names.get(`notebooks ${idOfNote(note)}`) ?? note.scratch_id,
    about: note.text.slice(0, shortTextChars),
    marks: [...(note.by ? [`by ${note.by}`] : []), ...marksOf(note)],
  })),
  ...docs.map((doc) => ({
    memory: 'knowledge' as const,
    id: doc.id,
    name: doc.title,
    about: doc.library,
    marks: marksOf(doc),
  })),
];

const toneOf = (mark: string) =>
  mark === 'untrusted' ? 'attention' : mark === 'mandatory' || mark === 'critical' ? 'accent' : undefined;

function Items({ answer, names }: { readonly answer: Recalled; readonly names: Names }) {
  const items = toItems(answer, names);
  return (
    <Section title="What it came from">
      {items.length === 0 && <Empty title="Nothing matches this task." />}
      <ul className="recall-items">
        {items.map((item) => (
          <li key={`${item.memory} ${item.id}`}>
            <MemoryMark memory={item.memory} />
            <div>
              <div className="row wrap">
                <span className="visually-hidden">{labelOf[item.memory]}: </span>
                <ItemLink memory={item.memory} id={item.id}>
                  <bdi>{item.name}</bdi>
                </ItemLink>
                {item.marks.map((mark) => (
                  <Badge key={mark} tone={toneOf(mark)}>
                    {mark}
                  </Badge>
                ))}
              </div>
              {item.about && (
                <p className="soft">
                  <bdi>{item.about}</bdi>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <Changes answer={answer} names={new Map(items.map(({ memory, id, name }) => [`${memory} ${id}`, name]))} />
      {Object.entries(answer.hints ?? {}).map(([part, hint]) => (
        <Note key={part}>{hint}</Note>
      ))}
    </Section>
  );
}

interface ChangesProps {
  readonly answer: Recalled;
  readonly names: Names;
}

const Changes = ({ answer: { changes = [], contradictions = [] }, names }: ChangesProps) => (
  <>
    {changes.length > 0 && <h3>Changed lately</h3>}
    <ul className="recall-items">
      {changes.map(({ memory, id, what, at, by }) => (
        <li key={`${memory} ${id}`}>
          <MemoryMark memory={memory} />
          <div>
            <ItemLink memory={memory} id={id}>
              <bdi>{names.get(`${memory} ${id}`) ?? id}</bdi>
            </ItemLink>{' '}
            {what === 'create' ? 'is new' : 'was changed'} by <Actor of={by} />, <Time at={at} as="day" />
          </div>
        </li>
      ))}
    </ul>
    {contradictions.map(({ contradiction_id, entity_id, field, values }) => (
      <Note key={contradiction_id} tone="attention">
        Sources disagree about{' '}
        <ItemLink memory="truth" id={entity_id}>
          <bdi>
            {toLabel(field)} of {names.get(`truth ${entity_id}`) ?? 'an entity'}
          </bdi>
        </ItemLink>
        : {values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' or ')}
      </Note>
    ))}
  </>
);

function AgentText({ answer }: { readonly answer: Recalled }) {
  const [isExact, setExact] = useState(false);
  const exact = JSON.stringify(answer);
  return (
    <Section
      title="As an agent gets it"
      actions={
        <>
          <Checkbox
            label="without line breaks"
            checked={isExact}
            onChange={(event) => setExact(event.target.checked)}
          />
          <Copy text={exact} what="the text" />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard */}
      <pre className="code recall-text" tabIndex={0} dir="auto">
        {isExact ? exact : JSON.stringify(answer, null, 1)}
      </pre>
    </Section>
  );
}

const toList = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const toInput = ({ task = '', budget, files, at, namespace }: SearchState) => ({
  task,
  budget_tokens: Number(budget ?? defaultBudget),
  ...(toList(files).length > 0 && { files: [...toList(files)] }),
  ...(at && { at }),
  ...(namespace && { namespace }),
});

interface TaskFormProps {
  readonly onAsk: () => void;
}

function TaskForm({ onAsk }: TaskFormProps) {
  const [search, setSearch] = useSearchState();
  const [draft, setDraft] = useState<SearchState>(search);
  const set = (name: string) => (event: { readonly target: { readonly value: string } }) =>
    setDraft({ ...draft, [name]: event.target.value });
  const isSame = ['task', 'budget', 'files', 'at', 'namespace'].every(
    (name) => (draft[name] ?? '') === (search[name] ?? ''),
  );
  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isSame) onAsk();
    else
      setSearch({
        task: undefined,
        budget: undefined,
        files: undefined,
        at: undefined,
        namespace: undefined,
        ...draft,
      });
  }
  return (
    <form className="recall-form" aria-label="Task" onSubmit={submit}>
      <TextArea
        label="Task"
        data-filter=""
        required
        maxLength={10_000}
        placeholder="Refund a customer whose bicycle arrived late"
        value={draft['task'] ?? ''}
        onChange={set('task')}
      />
      <TextArea
        label="Files, one per line"
        placeholder="services/checkout/retry.ts"
        value={draft['files'] ?? ''}
        onChange={set('files')}
      />
      <div className="row wide">
        <TextField
          label="Budget in tokens"
          className="input short"
          type="number"
          min={200}
          max={100_000}
          required
          value={draft['budget'] ?? defaultBudget}
          onChange={set('budget')}
        />
        <TextField
          label="Facts as of"
          className="input short"
          type="date"
          value={draft['at'] ?? ''}
          onChange={set('at')}
        />
        <TextField
          label="Workspace"
          className="input short"
          maxLength={200}
          value={draft['namespace'] ?? ''}
          onChange={set('namespace')}
        />
        <Button type="submit" kind="primary">
          {isSame && search['task'] ? 'Ask again' : 'Recall'}
        </Button>
      </div>
    </form>
  );
}

function summaryOf(answer: Recalled): string {
  const count = toItems(answer, new Map()).length;
  const leftOut = Object.values(answer.left_out ?? {}).reduce((sum, one) => sum + one, 0);
  const rest = leftOut === 0 ? 'nothing was left out' : `${leftOut} more did not fit or matter less`;
  return `An agent gets ${plural(count, 'item')}; ${rest}.`;
}

function Result({ search }: { readonly search: SearchState }) {
  const recalled = useTool('recall', toInput(search), { isLive: false, keepsPrevious: true });
  const receiptId = recalled.data?.receipt_id;
  const receipt = useTool(
    'recall_receipt',
    { receipt_id: receiptId ?? '' },
    { enabled: receiptId !== undefined, isLive: false },
  );
  const names = namesIn(receipt.data);
  return (
    <>
      <TaskForm key={JSON.stringify(search)} onAsk={() => void recalled.refetch()} />
      <Answer of={recalled} what="Asking all memories">
        {(answer) => (
          <>
            <p>
              <strong>{summaryOf(answer)}</strong>
              {answer.receipt_id && (
                <>
                  {' '}
                  Receipt{' '}
                  <Go to={`/recall/receipts/${answer.receipt_id}`}>
                    <code>{answer.receipt_id}</code>
                  </Go>
                </>
              )}
            </p>
            {(receiptId === undefined || !receipt.isPending) && (
              <BudgetBar
                budget={toInput(search).budget_tokens}
                tokens={answer.tokens}
                parts={toParts(answer, receipt.data)}
              />
            )}
            {answer.incomplete && (
              <Note tone="attention">The budget is too small for the names of {answer.missing} binding rules.</Note>
            )}
            <div className="recall-columns">
              <AgentText answer={answer} />
              <Items answer={answer} names={names} />
            </div>
          </>
        )}
      </Answer>
    </>
  );
}

/** What would an agent get for this task? */
export function Page() {
  const [search] = useSearchState();
  const hasTask = (search['task'] ?? '').trim() !== '';
  return (
    <RecallFrame>
      <Frame title="Recall" answer="What an agent gets before it starts a task.">
        {hasTask ? (
          <Result search={search} />
        ) : (
          <>
            <TaskForm key="empty" onAsk={() => {}} />
            <Empty
              title="Describe a task in your own words."
              example={'fourfold recall "refund a customer whose bicycle arrived late"'}
            >
              <p>You see the rules, facts, notes and docs that an agent would get, and what did not fit.</p>
            </Empty>
          </>
        )}
      </Frame>
    </RecallFrame>
  );
}
