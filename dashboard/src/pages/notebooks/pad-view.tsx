import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { callTool, ToolError } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolAction, useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Badge, Empty, Note } from '../../kit/feedback.tsx';
import { Page as Frame, PageAnswer } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { useSearchState } from '../../kit/search-state.ts';
import { useShortcuts } from '../../kit/shortcuts.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { CellEditor } from './cell-editor.tsx';
import { CellView, useCellActions } from './cell-view.tsx';
import { type Cell, isChanged, newCellKey, type Pad, startDraft, startNewCell, useDrafts } from './drafts.ts';
import { EditTitle } from './edit-title.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { keepInView } from './keep-in-view.ts';
import { NearView } from './near-view.tsx';

const pageCells = 50;
/** In the address: the history of the whole pad. */
const wholePad = 'all';

function usePad(scratchId: string) {
  const pages = useToolPages('scratch_read', { scratch_id: scratchId, limit: pageCells }, ({ scratchpad }, loaded) =>
    loaded * pageCells < scratchpad.cell_count ? { offset: loaded * pageCells } : undefined,
  );
  const first = pages.data?.pages[0]?.scratchpad;
  // Pages are read one after the other: a cell that moved meanwhile can be on two of them.
  const cells = new Map(
    (pages.data?.pages ?? []).flatMap(({ scratchpad }) => scratchpad.cells).map((cell) => [cell.cell_id, cell]),
  );
  return { pages, pad: first, cells: [...cells.values()] };
}

async function download(scratchId: string, format: 'md' | 'ipynb'): Promise<void> {
  const { file_name, text } = await callTool('scratch_export', { scratch_id: scratchId, format });
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file_name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Asks before a reload or a closed tab loses unsaved text. */
function useUnsavedWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

/** Scrolls to the cell of the address, and loads cells until it is there. */
function useScrollToCell(cellId: string | undefined, { cells, pages }: ReturnType<typeof usePad>): void {
  const isThere = cells.some(({ cell_id }) => cell_id === cellId);
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (cellId === undefined) return undefined;
    const cell = isThere ? document.getElementById(`cell-${cellId}`) : null;
    if (cell !== null) return keepInView(cell);
    if (!isThere && hasNextPage && !isFetching) void fetchNextPage();
    return undefined;
  }, [cellId, isThere, hasNextPage, isFetching, fetchNextPage]);
}

function DeletePad({ pad, onClose }: { readonly pad: Pad; readonly onClose: () => void }) {
  const remove = useToolAction('scratch_delete');
  const restore = useToolAction('scratch_restore');
  const navigate = useNavigate();
  async function confirm() {
    const { restore: undo } = await remove.mutateAsync({ scratch_id: pad.scratch_id });
    void navigate({ to: '/notebooks' });
    say(
      `${pad.title ?? pad.scratch_id} is in the trash.`,
      undo && (() => void restore.mutateAsync(undo.arguments as never).catch(sayError)),
    );
  }
  return (
    <Confirm title="Delete this scratchpad?" action="Delete" isDanger onConfirm={confirm} onClose={onClose}>
      <p>It goes to the trash with its cells and their history. You can restore it for 30 days.</p>
    </Confirm>
  );
}

/** Cells that were deleted elsewhere while they were edited here. */
function LostDrafts({ scratchId, cells }: { readonly scratchId: string; readonly cells: readonly Cell[] }) {
  const known = new Set(cells.map(({ cell_id }) => cell_id));
  const lost = [...useDrafts(scratchId)].filter(([key]) => key !== newCellKey && !known.has(key));
  return lost.map(([key, draft]) => (
    <section className="cell" key={key} aria-label="Deleted cell">
      <CellEditor draft={{ ...draft, theirs: draft.theirs ?? 'deleted' }} />
    </section>
  ));
}

const Summary = ({ pad }: { readonly pad: Pad }) => (
  <>
    {plural(pad.cell_count, 'cell')}
    {pad.namespace && (
      <>
        {' in '}
        <bdi>{pad.namespace}</bdi>
      </>
    )}
    , changed <Time at={pad.updated_at} />
  </>
);

function PadPage({ pad, loaded }: { readonly pad: Pad; readonly loaded: ReturnType<typeof usePad> }) {
  const { scratch_id: scratchId } = pad;
  const { cells, pages } = loaded;
  const [{ cell: activeId, history, change }, setSearch] = useSearchState();
  const [isDeleting, setDeleting] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const canWrite = useCan('write');
  const actions = useCellActions(scratchId);
  const drafts = useDrafts(scratchId);
  useUnsavedWarning([...drafts.values()].some(isChanged));
  useScrollToCell(activeId, loaded);

  const at = cells.findIndex(({ cell_id }) => cell_id === activeId);
  const active = cells[at];
  const select = (index: number) => setSearch({ cell: cells[index]?.cell_id ?? activeId }, 'replace');
  const withActive = (work: (cell: Cell) => void) => () => active && work(active);
  const moveBy = (by: number) =>
    withActive((cell) => {
      const to = cell.index + by;
      if (to >= 0 && to < pad.cell_count) actions.move(cell, to);
    });
  useShortcuts('Scratchpad', {
    n: { what: 'Next cell', run: () => select(at + 1) },
    p: { what: 'Previous cell', run: () => select(Math.max(0, at - 1)) },
    h: { what: 'History', run: () => setSearch({ history: activeId ?? wholePad }) },
    ...(canWrite && {
      e: { what: 'Edit the chosen cell', run: withActive((cell) => void startDraft(scratchId, cell).catch(sayError)) },
      t: { what: 'Change the title', run: () => setRenaming(true) },
      a: { what: 'Add a cell', run: () => startNewCell(scratchId) },
      '[': { what: 'Move the chosen cell up', run: moveBy(-1) },
      ']': { what: 'Move the chosen cell down', run: moveBy(1) },
    }),
  });

  const newCell = drafts.get(newCellKey);
  const exportAs = (format: 'md' | 'ipynb') => void download(scratchId, format).catch(sayError);
  return (
    <Frame
      title={pad.title ?? scratchId}
      answer={<Summary pad={pad} />}
      actions={
        <>
          <Link className="button narrow-only" to="/notebooks">
            All notebooks
          </Link>
          {canWrite && (
            <Button onClick={() => setRenaming(true)} shortcut="t">
              Edit title
            </Button>
          )}
          <Button onClick={() => setSearch({ history: wholePad })} shortcut="h">
            History
          </Button>
          <Button onClick={() => exportAs('md')}>Download .md</Button>
          <Button onClick={() => exportAs('ipynb')}>Download .ipynb</Button>
          {canWrite && (
            <Button kind="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {(pad.description || pad.summary || pad.tags.length > 0) && (
        <div className="stack prose">
          {pad.description && <p dir="auto">{pad.description}</p>}
          {pad.summary && <Note>{pad.summary}</Note>}
          {pad.tags.length > 0 && (
            <div className="row wrap">
              {pad.tags.map((tag) => (
                <Badge key={tag} tone="accent">
                  <bdi>{tag}</bdi>
                </Badge>
              ))}
            </div>
          )}
        </div>
      )}
      <div className="cells">
        {cells.map((cell) => (
          <CellView
            key={cell.cell_id}
            scratchId={scratchId}
            cell={cell}
            draft={drafts.get(cell.cell_id)}
            isActive={cell.cell_id === activeId}
            isLast={cell.index === pad.cell_count - 1}
            canWrite={canWrite}
            actions={actions}
            onHistory={() => setSearch({ history: cell.cell_id, cell: cell.cell_id, change: undefined })}
          />
        ))}
        {pages.hasNextPage && (
          <NearView key={cells.length}>
            {() => <LoadMore onShow={() => pages.isFetching || void pages.fetchNextPage()} />}
          </NearView>
        )}
        {!pages.hasNextPage && <LostDrafts scratchId={scratchId} cells={cells} />}
        {pad.cell_count === 0 && newCell === undefined && (
          <Empty
            title="This scratchpad has no cells."
            example={`scratch_append_cell {"scratch_id": "${scratchId}", …}`}
          />
        )}
        {newCell && (
          <section className="cell" aria-label="New cell">
            <CellEditor draft={newCell} />
          </section>
        )}
        {canWrite && newCell === undefined && (
          <div>
            <Button onClick={() => startNewCell(scratchId)} shortcut="a">
              Add a cell
            </Button>
          </div>
        )}
      </div>
      {isRenaming && <EditTitle pad={pad} onClose={() => setRenaming(false)} />}
      {isDeleting && <DeletePad pad={pad} onClose={() => setDeleting(false)} />}
      {history !== undefined && (
        <HistoryPanel
          scratchId={scratchId}
          cellId={history === wholePad ? undefined : history}
          change={change}
          onChoose={(chosen) =>
            setSearch(
              chosen === undefined ? { change: undefined } : { change: `${chosen.cellId}@${chosen.change}` },
              'replace',
            )
          }
          onClose={() => setSearch({ history: undefined, change: undefined })}
        />
      )}
    </Frame>
  );
}

function LoadMore({ onShow }: { readonly onShow: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per appearance
  useEffect(onShow, []);
  return <p className="soft">Loading more cells…</p>;
}

const isMissing = (error: unknown): boolean =>
  error instanceof ToolError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_ID');

const NotFound = () => (
  <Frame title="Not found">
    <Empty title="No scratchpad has this address.">
      <p>
        It may be in the <Link to="/notebooks/-/trash">trash</Link>. <Link to="/notebooks">All notebooks</Link>
      </p>
    </Empty>
  </Frame>
);

export function PadView({ scratchId }: { readonly scratchId: string }) {
  const loaded = usePad(scratchId);
  if (loaded.pad === undefined && isMissing(loaded.pages.error)) return <NotFound />;
  return (
    <PageAnswer of={{ ...loaded.pages, data: loaded.pad }} title="Scratchpad" what="Loading the scratchpad">
      {(pad) => <PadPage pad={pad} loaded={loaded} />}
    </PageAnswer>
  );
}
