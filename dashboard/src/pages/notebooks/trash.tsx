import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Output, ToolError } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { TextField } from '../../kit/form.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { NotebooksFrame } from './notebooks-frame.tsx';

type Trashed = Output<'scratch_trash'>['scratchpads'][number];

const pageCount = 100;
const reasons: Readonly<Record<string, string>> = {
  delete: 'deleted',
  reset: 'replaced by a new one',
  evict: 'evicted at the limit',
  namespace: 'deleted with its namespace',
};

function useRestore() {
  const restore = useToolAction('scratch_restore');
  const navigate = useNavigate();
  return async ({ scratch_id, pad_key, title }: Trashed, as?: string) => {
    const { scratchpad } = await restore.mutateAsync({ scratch_id, copy: pad_key, ...(as && { as }) });
    const id = scratchpad?.scratch_id ?? scratch_id;
    say(`${title ?? id} is back.`);
    void navigate({ to: `/notebooks/${encodeURIComponent(id)}` } as never);
  };
}

/** Asks for another id if the id is taken. */
function RestoreAs({ pad, onClose }: { readonly pad: Trashed; readonly onClose: () => void }) {
  const restore = useRestore();
  const [id, setId] = useState(`${pad.scratch_id}-restored`);
  return (
    <Confirm title="This id is taken" action="Restore" onConfirm={() => restore(pad, id)} onClose={onClose}>
      <p>Another scratchpad has the id {pad.scratch_id} now. Restore this one under another id:</p>
      <TextField label="Id" value={id} onChange={(event) => setId(event.target.value)} />
    </Confirm>
  );
}

function Row({ pad, canWrite }: { readonly pad: Trashed; readonly canWrite: boolean }) {
  const restore = useRestore();
  const [isTaken, setTaken] = useState(false);
  const attempt = () =>
    void restore(pad).catch((error: unknown) =>
      error instanceof ToolError && error.code === 'CONFLICT' ? setTaken(true) : sayError(error),
    );
  const name = pad.title ?? pad.scratch_id;
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
        {pad.title !== null && <div className="soft mono wide-only">{pad.scratch_id}</div>}
      </td>
      <td className="wide-only">{pad.namespace !== null && <bdi>{pad.namespace}</bdi>}</td>
      <td className="number wide-only">{pad.cell_count}</td>
      <td>
        <Badge>{reasons[pad.reason] ?? pad.reason}</Badge>
        <div className="soft">
          by <Actor of={pad.removed_by} /> <Time at={pad.removed_at} />
        </div>
      </td>
      <td>
        {canWrite && (
          <Button aria-label={`Restore ${name}`} onClick={attempt}>
            Restore
          </Button>
        )}
        {isTaken && <RestoreAs pad={pad} onClose={() => setTaken(false)} />}
      </td>
    </tr>
  );
}

export function Page() {
  const canWrite = useCan('write');
  const pages = useToolPages('scratch_trash', { limit: pageCount }, ({ next_cursor }) =>
    next_cursor === undefined ? undefined : { cursor: next_cursor },
  );
  const pads = pages.data?.pages.flatMap(({ scratchpads }) => scratchpads);
  return (
    <NotebooksFrame>
      <Frame title="Trash" answer="Deleted, replaced and evicted scratchpads. Each can be restored for 30 days.">
        <Answer of={{ ...pages, data: pads }} what="Loading the trash">
          {(list) =>
            list.length === 0 ? (
              <Empty title="The trash is empty.">Delete a scratchpad on its page, and it waits here.</Empty>
            ) : (
              <TableScroll name="Deleted scratchpads">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Scratchpad</th>
                      <th scope="col" className="wide-only">
                        Namespace
                      </th>
                      <th scope="col" className="number wide-only">
                        Cells
                      </th>
                      <th scope="col">Removed</th>
                      <th scope="col">
                        <span className="visually-hidden">Action</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.map((pad) => (
                      <Row key={pad.pad_key} pad={pad} canWrite={canWrite} />
                    ))}
                  </tbody>
                </table>
              </TableScroll>
            )
          }
        </Answer>
        {pages.hasNextPage && (
          <Button disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        )}
      </Frame>
    </NotebooksFrame>
  );
}
