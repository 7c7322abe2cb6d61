import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Empty } from '../../kit/feedback.tsx';
import { Go } from '../../kit/go.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { RecallFrame } from './memories.tsx';

const pageCount = 50;

/** What agents recalled. Two of them can be compared. */
export function Page() {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const list = useToolPages('recall_receipts', { limit: pageCount }, ({ next_cursor }) =>
    next_cursor === undefined ? undefined : { cursor: next_cursor },
  );
  const choose = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2));
  return (
    <RecallFrame>
      <Frame title="Receipts" answer="What agents recalled, newest first. Choose two to compare them.">
        <Answer of={list}>
          {({ pages }) => {
            const receipts = pages.flatMap((page) => page.receipts);
            if (receipts.length === 0)
              return (
                <Empty title="Nothing was recalled yet." example={'fourfold recall "deploy the web shop"'}>
                  <p>Each recall leaves a receipt, unless the setting recallReceipts is 0.</p>
                </Empty>
              );
            // The older one first, so that the comparison reads forward in time.
            const ordered = receipts.filter(({ receipt_id }) => chosen.includes(receipt_id)).toReversed();
            return (
              <div className="stack">
                <div className="row">
                  <Button
                    kind="primary"
                    disabled={ordered.length !== 2}
                    onClick={() =>
                      void navigate({
                        to: '/recall/receipts/compare',
                        search: { a: ordered[0]?.receipt_id, b: ordered[1]?.receipt_id },
                      } as never)
                    }
                  >
                    Compare
                  </Button>
                  <span className="soft" aria-live="polite">
                    {ordered.length} of 2 chosen
                  </span>
                </div>
                <TableScroll name="Receipts table">
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">
                          <span className="visually-hidden">Choose</span>
                        </th>
                        <th scope="col">Task</th>
                        <th scope="col">By</th>
                        <th scope="col">When</th>
                        <th scope="col" className="number wide-only">
                          Items
                        </th>
                        <th scope="col" className="number wide-only">
                          Left out
                        </th>
                        <th scope="col" className="number wide-only">
                          Tokens
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {receipts.map((receipt) => (
                        <tr key={receipt.receipt_id}>
                          <td>
                            <input
                              type="checkbox"
                              aria-label={`Compare ${receipt.task}, ${receipt.receipt_id}`}
                              checked={chosen.includes(receipt.receipt_id)}
                              onChange={() => choose(receipt.receipt_id)}
                            />
                          </td>
                          <td>
                            <Go to={`/recall/receipts/${receipt.receipt_id}`}>
                              <bdi>{receipt.task}</bdi>
                            </Go>
                          </td>
                          <td>
                            <bdi title={receipt.actor}>{receipt.actor_name ?? receipt.actor}</bdi>
                          </td>
                          <td>
                            <Time at={receipt.at} />
                          </td>
                          <td className="number wide-only">{receipt.items_count}</td>
                          <td className="number wide-only">{receipt.left_out_count}</td>
                          <td className="number wide-only">
                            {receipt.tokens} of {receipt.budget_tokens}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </TableScroll>
                {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>Show older ones</Button>}
              </div>
            );
          }}
        </Answer>
      </Frame>
    </RecallFrame>
  );
}
