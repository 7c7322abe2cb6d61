import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Badge, Note } from '../../kit/feedback.tsx';
import { Go } from '../../kit/go.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { BudgetBar, ItemLink, labelOf, MemoryMark, memories, partOf, RecallFrame, tokensIn } from './memories.tsx';

type Receipt = Output<'recall_receipt'>;

const toParts = ({ items, left_out }: Receipt) =>
  memories.map((memory) => ({
    memory,
    tokens: tokensIn(items, memory),
    leftOut: left_out?.[partOf[memory]] ?? 0,
  }));

/** The address that asks the same again. */
const toSearch = ({ task, budget_tokens, files, at, namespace }: Receipt['arguments']) => ({
  task,
  budget: String(budget_tokens),
  ...(files && { files: files.join('\n') }),
  ...(at && { at }),
  ...(namespace && { namespace }),
});

type Item = Pick<Receipt['items'][number], 'memory' | 'id' | 'name' | 'score'> & Partial<Receipt['items'][number]>;

const ItemTable = ({ items, name }: { readonly items: readonly Item[]; readonly name: string }) => (
  <TableScroll name={`${name}, table`}>
    <table aria-label={name}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Memory</th>
          <th scope="col" className="number">
            Score
          </th>
          <th scope="col" className="number">
            Tokens
          </th>
          <th scope="col">Content</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={`${item.memory} ${item.id}`}>
            <td>
              <span className="row">
                <MemoryMark memory={item.memory} />
                <ItemLink memory={item.memory} id={item.id}>
                  <bdi>{item.name ?? item.id}</bdi>
                </ItemLink>
                {item.cut && <Badge>cut</Badge>}
              </span>
            </td>
            <td>{labelOf[item.memory]}</td>
            <td className="number">{item.score.toFixed(2)}</td>
            <td className="number">{item.tokens ?? ''}</td>
            <td>{item.hash ? <code title="Hash of the content">{item.hash.slice(0, 8)}</code> : 'left out'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);

function Detail({ receipt }: { readonly receipt: Receipt }) {
  const { arguments: args } = receipt;
  return (
    <>
      <dl className="facts">
        <dt>Task</dt>
        <dd dir="auto">{args.task}</dd>
        {args.files && (
          <>
            <dt>Files</dt>
            <dd>{args.files.join(', ')}</dd>
          </>
        )}
        {args.memories && (
          <>
            <dt>Memories</dt>
            <dd>{args.memories.map((memory) => labelOf[memory]).join(', ')}</dd>
          </>
        )}
        {args.at && (
          <>
            <dt>Facts as of</dt>
            <dd>{args.at}</dd>
          </>
        )}
        {args.namespace && (
          <>
            <dt>Workspace</dt>
            <dd>{args.namespace}</dd>
          </>
        )}
        <dt>Asked by</dt>
        <dd>
          <bdi title={receipt.actor}>{receipt.actor_name ?? receipt.actor}</bdi>, <Time at={receipt.at} />
        </dd>
        <dt>Newest write before</dt>
        <dd>
          <Go to={`/audit?seq=${receipt.seq}`}>{receipt.seq}</Go>
        </dd>
      </dl>
      <BudgetBar budget={receipt.budget_tokens} tokens={receipt.tokens} parts={toParts(receipt)} />
      {receipt.incomplete && <Note tone="attention">The budget was too small for the names of all binding rules.</Note>}
      <Section title="Items">
        <ItemTable items={receipt.items} name="Items" />
      </Section>
      {receipt.left_out_items.length > 0 && (
        <Section title="Found, but left out">
          <ItemTable items={receipt.left_out_items} name="Left out" />
        </Section>
      )}
    </>
  );
}

/** What one recall was made of. */
export function Page() {
  const { receiptId = '' } = useParams({ strict: false }) as { readonly receiptId?: string };
  const client = useQueryClient();
  const navigate = useNavigate();
  const query = useTool('recall_receipt', { receipt_id: receiptId }, { isLive: false });
  return (
    <RecallFrame>
      <Frame
        title={`Receipt ${receiptId}`}
        answer={query.data && `${plural(query.data.items_count, 'item')}, ${query.data.left_out_count} left out`}
        actions={
          query.data && (
            <Button
              onClick={() => {
                // An answer of a moment ago must not be shown again.
                client.removeQueries({ queryKey: ['tool', 'recall'] });
                void navigate({ to: '/recall', search: toSearch(query.data.arguments) } as never);
              }}
            >
              Ask the same now
            </Button>
          )
        }
      >
        <Answer of={query}>{(receipt) => <Detail receipt={receipt} />}</Answer>
      </Frame>
    </RecallFrame>
  );
}
