import { useMemo } from 'react';
import { useCan } from '../../api/caller.tsx';
import { useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { Answer, Empty } from '../../kit/feedback.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { InstructionsFrame, RuleLink } from './nav.tsx';

export function Page() {
  const canDecide = useCan('admin');
  const restore = useToolAction('instructions_restore');
  const pages = useToolPages('instructions_list_archived', { limit: 100 }, ({ nextCursor }) =>
    nextCursor === undefined ? undefined : { cursor: nextCursor },
  );
  const items = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  async function bringBack(id: string, title: string) {
    const { existing, restored } = await restore.mutateAsync({ ids: [id] });
    say(
      restored > 0
        ? `${title} is back.`
        : existing.length > 0
          ? `A rule with the id ${id} exists again already.`
          : `${title} is no longer kept.`,
    );
  }
  return (
    <InstructionsFrame>
      <Frame title="Removed rules" answer="They can be restored for 30 days; their history stays after that.">
        <Answer of={pages}>
          {() =>
            items.length === 0 ? (
              <Empty title="Nothing was removed." />
            ) : (
              <TableScroll name="Removed rules table">
                <table>
                  <thead>
                    <tr>
                      <th>Rule</th>
                      <th className="wide-only">Owner</th>
                      <th>Removed</th>
                      <th className="wide-only">By</th>
                      {canDecide && (
                        <th>
                          <span className="visually-hidden">Actions</span>
                        </th>
                      )}
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(({ id, title, owner, removedAt, removedBy }) => (
                      <tr key={`${id} ${removedAt}`}>
                        <td>
                          <RuleLink id={id}>{title}</RuleLink>
                        </td>
                        <td className="wide-only">
                          <bdi>{owner}</bdi>
                        </td>
                        <td>
                          <Time at={removedAt} />
                        </td>
                        <td className="wide-only">
                          <Actor of={removedBy} />
                        </td>
                        {canDecide && (
                          <td>
                            <Button
                              aria-label={`Restore ${title}`}
                              onClick={() => void bringBack(id, title).catch(sayError)}
                            >
                              Restore
                            </Button>
                          </td>
                        )}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </TableScroll>
            )
          }
        </Answer>
        {pages.hasNextPage && <Button onClick={() => void pages.fetchNextPage()}>Show more</Button>}
      </Frame>
    </InstructionsFrame>
  );
}
