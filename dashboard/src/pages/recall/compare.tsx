import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Answer, Empty } from '../../kit/feedback.tsx';
import { Go } from '../../kit/go.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { ItemLink, labelOf, MemoryMark, RecallFrame } from './memories.tsx';

type Compared = Output<'recall_compare'>;
type Difference = Compared['appeared'][number];

const verbs = { create: 'created', update: 'changed', delete: 'deleted' } as const;

const Write = ({ write }: { readonly write: NonNullable<Difference['write']> }) => (
  <p>
    {verbs[write.what]} by <bdi title={write.actor}>{write.actor_name ?? write.actor}</bdi> with{' '}
    <code>{write.tool}</code>, <Time at={write.at} />, <Go to={`/audit?seq=${write.seq}`}>write {write.seq}</Go>
  </p>
);

const Differences = ({ title, items }: { readonly title: string; readonly items: readonly Difference[] }) =>
  items.length === 0 ? null : (
    <Section title={`${title}: ${items.length}`}>
      <ul className="recall-items">
        {items.map((item) => (
          <li key={`${item.memory} ${item.id}`}>
            <MemoryMark memory={item.memory} />
            <div>
              <span className="visually-hidden">{labelOf[item.memory]}: </span>
              <ItemLink memory={item.memory} id={item.id}>
                <bdi>{item.name ?? item.id}</bdi>
              </ItemLink>
              {item.write ? <Write write={item.write} /> : <p className="soft">{item.why}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );

const Side = ({ name, receipt }: { readonly name: string; readonly receipt: Compared['a'] }) => (
  <Section title={name}>
    <p dir="auto">{receipt.task}</p>
    <p className="soft">
      <Go to={`/recall/receipts/${receipt.receipt_id}`}>
        <code>{receipt.receipt_id}</code>
      </Go>
      , asked by <bdi title={receipt.actor}>{receipt.actor_name ?? receipt.actor}</bdi>, <Time at={receipt.at} />,{' '}
      {plural(receipt.items_count, 'item')}, {receipt.tokens} of {receipt.budget_tokens} tokens
    </p>
  </Section>
);

const shown = (value: unknown): string =>
  value === undefined ? 'not given' : typeof value === 'string' ? value : JSON.stringify(value);

function Result({ compared }: { readonly compared: Compared }) {
  const { appeared, vanished, changed, arguments: args } = compared;
  return (
    <>
      <div className="recall-columns">
        <Side name="First" receipt={compared.a} />
        <Side name="Second" receipt={compared.b} />
      </div>
      {args.length > 0 && (
        <Section title="Other arguments">
          <table aria-label="Other arguments">
            <thead>
              <tr>
                <th scope="col">Argument</th>
                <th scope="col">First</th>
                <th scope="col">Second</th>
              </tr>
            </thead>
            <tbody>
              {args.map(({ name, a, b }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td dir="auto">{shown(a)}</td>
                  <td dir="auto">{shown(b)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      <Differences title="Changed" items={changed} />
      <Differences title="Only in the second" items={appeared} />
      <Differences title="Only in the first" items={vanished} />
      {appeared.length + vanished.length + changed.length === 0 && <Empty title="Both have the same items." />}
    </>
  );
}

const answerOf = ({ appeared, vanished, changed, unchanged_count }: Compared): string =>
  `${changed.length} changed, ${appeared.length} appeared, ${vanished.length} vanished, ${unchanged_count} the same`;

/** Why did an agent get another answer? */
export function Page() {
  const [{ a = '', b = '' }] = useSearchState();
  const isChosen = a !== '' && b !== '';
  const query = useTool('recall_compare', { a, b }, { isLive: false, enabled: isChosen });
  return (
    <RecallFrame>
      <Frame title="Compare two recalls" answer={query.data && answerOf(query.data)}>
        {isChosen ? (
          <Answer of={query}>{(compared) => <Result compared={compared} />}</Answer>
        ) : (
          <Empty title="Choose two receipts to compare.">
            <Go to="/recall/receipts">Receipts</Go>
          </Empty>
        )}
      </Frame>
    </RecallFrame>
  );
}
