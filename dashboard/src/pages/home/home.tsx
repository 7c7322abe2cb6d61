import type { Output } from '../../api/call.ts';
import { useCaller, useCan } from '../../api/caller.tsx';
import { useTool } from '../../api/use-tool.ts';
import { Answer, Empty, Note } from '../../kit/feedback.tsx';
import { Go } from '../../kit/go.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { Calls, Changes } from './changes.tsx';
import { DemoStart } from './demo-start.tsx';
import './home.css';
import { NeedsYou } from './needs-you.tsx';
import { ServedRules } from './served-rules.tsx';
import { Usage } from './usage.tsx';

export type Overview = Output<'overview'>;

/** A call that changes nothing is no event of the store. */
const refreshMs = 10_000;

function answerOf({ attention }: Overview, canAct: boolean): string {
  const waiting = attention.filter(({ severity }) => severity !== 'progress').length;
  if (waiting === 0) return 'Nothing needs you now.';
  const [one, many] = canAct ? ['needs you', 'need you'] : ['waits for a decision', 'wait for a decision'];
  return waiting === 1 ? `One thing ${one}.` : `${waiting} things ${many}.`;
}

/** Keys and sign-ins are not work of an agent. Who may not see the changes cannot know. */
const isUntouched = ({ changes, usage }: Overview): boolean =>
  changes !== undefined && [...changes, ...(usage?.hours ?? [])].every(({ memory }) => memory === 'system');

/** What an empty server should do first. */
const FirstSteps = () => (
  <>
    <Empty title="No agent has used this server yet." example={'remember {"text": "Deploy on Tuesdays"}'}>
      <span>
        <Go to="/settings/connect">Connect a client</Go>, then let it call a tool. Its rules, notes and facts appear
        here.
      </span>
    </Empty>
    <DemoStart />
  </>
);

/** One row: is the server all right? */
function ServerState({ overview }: { readonly overview: Overview }) {
  const { version, server, tenant, name } = useCaller();
  const isWritable = !overview.attention.some(({ kind }) => kind === 'store');
  return (
    <dl className="server-state" aria-label="Server">
      <div>
        <dt>Store</dt>
        <dd>{server.readOnly ? 'read only' : isWritable ? 'accepts writes' : 'does not accept writes'}</dd>
      </div>
      <div>
        <dt>Semantic search</dt>
        <dd>{server.semanticSearch ? 'on' : 'off'}</dd>
      </div>
      <div>
        <dt>Agents change rules</dt>
        <dd>{server.mutation ? 'directly' : 'by proposal'}</dd>
      </div>
      <div>
        <dt>You</dt>
        <dd>
          {name} of {tenant}
        </dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{version}</dd>
      </div>
    </dl>
  );
}

const Content = ({ overview }: { readonly overview: Overview }) => (
  <>
    {isUntouched(overview) && <FirstSteps />}
    <NeedsYou overview={overview} />
    {overview.unavailable.map(({ part, why }) => (
      <Note key={part} tone="attention">
        <span>
          <strong>{part}</strong> could not be read: {why}
        </span>
      </Note>
    ))}
    {overview.changes && overview.changes.length > 0 && <Changes changes={overview.changes} />}
    {overview.usage && <Usage usage={overview.usage} />}
    {overview.rules && <ServedRules rules={overview.rules} />}
    {overview.calls && overview.calls.length > 0 && <Calls calls={overview.calls} />}
    <Section title="Server">
      <ServerState overview={overview} />
    </Section>
  </>
);

export function Page() {
  const overview = useTool('overview', {}, { refreshMs });
  const canAct = useCan('write');
  return (
    <Frame title="Home" {...(overview.data && { answer: answerOf(overview.data, canAct) })}>
      <Answer of={overview}>{(data) => <Content overview={data} />}</Answer>
    </Frame>
  );
}
