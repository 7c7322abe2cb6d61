import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { DiffView } from '../../kit/code.tsx';
import { SidePanel } from '../../kit/dialog.tsx';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';

type Change = NonNullable<Output<'scratch_history'>['changes']>[number];

const pageCount = 50;
const tones = { created: 'ok', replaced: 'accent', restored: 'accent', moved: undefined, deleted: 'danger' } as const;

function describe({ action, index, new_index, content_bytes }: Change): string {
  if (action === 'moved') return ` · from ${(index ?? 0) + 1} to ${(new_index ?? 0) + 1}`;
  return content_bytes === undefined ? '' : ` · ${content_bytes.toLocaleString()} bytes before`;
}

interface Chosen {
  readonly cellId: string;
  readonly change: number;
}

interface HistoryPanelProps {
  readonly scratchId: string;
  /** Of one cell, or of all. */
  readonly cellId: string | undefined;
  /** `cell@change` in the address. */
  readonly change: string | undefined;
  readonly onChoose: (chosen: Chosen | undefined) => void;
  readonly onClose: () => void;
}

function parseChosen(text: string | undefined): Chosen | undefined {
  const at = text?.lastIndexOf('@') ?? -1;
  if (text === undefined || at < 1) return undefined;
  const change = Number(text.slice(at + 1));
  return Number.isSafeInteger(change) ? { cellId: text.slice(0, at), change } : undefined;
}

/** The text that a change wrote: what the next change replaced, or what the cell says now. */
function useAfter(scratchId: string, cellId: string, action: string | undefined, next: number | undefined) {
  const later = useTool(
    'scratch_history',
    { scratch_id: scratchId, cell_id: cellId, change: next ?? 1 },
    { enabled: next !== undefined },
  );
  const isPresent = action !== undefined && action !== 'deleted' && next === undefined;
  const now = useTool('scratch_read', { scratch_id: scratchId, cell_ids: [cellId] }, { enabled: isPresent });
  if (action === 'deleted') return '';
  return next === undefined ? now.data?.scratchpad.cells[0]?.content : later.data?.cell?.content;
}

function ChangeDetail({ scratchId, chosen }: { readonly scratchId: string; readonly chosen: Chosen }) {
  const { cellId, change } = chosen;
  const read = useTool('scratch_history', { scratch_id: scratchId, cell_id: cellId, change });
  const after = useAfter(scratchId, cellId, read.data?.change?.action, read.data?.next_change);
  const restore = useToolAction('scratch_restore');
  const canWrite = useCan('write');
  return (
    <Answer of={read} what="Loading the change">
      {({ cell, change: made }) => (
        <div className="stack">
          <h3>What change {change} replaced</h3>
          <DiffView
            before={cell?.content ?? ''}
            after={after ?? ''}
            language={cell?.language}
            label={`Difference of change ${change}`}
          />
          {canWrite && made?.restore && (
            <div>
              <Button
                kind="primary"
                onClick={() =>
                  void restore
                    .mutateAsync(made.restore!.arguments as never)
                    .then(({ restore: undo }) =>
                      say(
                        'The earlier text is back.',
                        undo && (() => void restore.mutateAsync(undo.arguments as never).catch(sayError)),
                      ),
                    )
                    .catch(sayError)
                }
              >
                Bring back version {made.version}
              </Button>
            </div>
          )}
        </div>
      )}
    </Answer>
  );
}

/** Who changed what and when; the difference of the chosen change. */
export function HistoryPanel({ scratchId, cellId, change, onChoose, onClose }: HistoryPanelProps) {
  const pages = useToolPages(
    'scratch_history',
    { scratch_id: scratchId, limit: pageCount, ...(cellId !== undefined && { cell_id: cellId }) },
    ({ next_cursor }) => (next_cursor === undefined ? undefined : { cursor: next_cursor }),
  );
  const changes = pages.data?.pages.flatMap((page) => page.changes ?? []);
  const chosen = parseChosen(change);
  const isChosen = (one: Change) => one.change === chosen?.change && one.cell_id === chosen.cellId;
  return (
    <SidePanel title={cellId === undefined ? 'History' : 'History of the cell'} onClose={onClose}>
      <Answer of={{ ...pages, data: changes }} what="Loading the history">
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing has changed since the history began." />
          ) : (
            <ol className="changes">
              {list.map((one) => (
                <li key={`${one.change}/${one.cell_id ?? ''}`} data-chosen={isChosen(one)}>
                  <div className="row wrap">
                    <Badge tone={tones[one.action]}>{one.action}</Badge>
                    <span className="soft one-line">
                      {cellId === undefined && (one.cell_id === undefined ? 'scratchpad' : `cell ${one.cell_id}`)}
                    </span>
                    <span className="push soft">
                      <Time at={one.at} />
                    </span>
                  </div>
                  <div className="soft">
                    by <Actor of={one.actor} />
                    {describe(one)}
                  </div>
                  {one.preview !== undefined && (
                    <div className="one-line mono" dir="auto">
                      {one.preview}
                    </div>
                  )}
                  {one.version !== undefined && one.cell_id !== undefined && (
                    <Button
                      kind="quiet"
                      aria-expanded={isChosen(one)}
                      onClick={() => onChoose(isChosen(one) ? undefined : { cellId: one.cell_id!, change: one.change })}
                    >
                      {isChosen(one) ? 'Hide' : 'Show'} change {one.change}
                    </Button>
                  )}
                  {chosen !== undefined && isChosen(one) && <ChangeDetail scratchId={scratchId} chosen={chosen} />}
                </li>
              ))}
            </ol>
          )
        }
      </Answer>
      {pages.hasNextPage && (
        <Button disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
          Show older changes
        </Button>
      )}
    </SidePanel>
  );
}
