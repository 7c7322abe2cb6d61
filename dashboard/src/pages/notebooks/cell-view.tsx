import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Badge } from '../../kit/feedback.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { CellContent } from './cell-content.tsx';
import { CellEditor } from './cell-editor.tsx';
import { type Cell, type Draft, startDraft } from './drafts.ts';
import { NearView } from './near-view.tsx';

/** A rough guess, so that the page does not jump while cells come into view. */
const guessHeight = ({ content = '' }: Cell): number => Math.min(600, 40 + 20 * Math.ceil(content.length / 90));

export interface CellActions {
  readonly move: (cell: Pick<Cell, 'cell_id'>, to: number) => void;
  readonly remove: (cell: Cell) => void;
}

/** A deleted cell takes the focus along: the cell that is now in its place gets it. */
async function keepFocus<T>(work: Promise<T>): Promise<T> {
  const cells = () => [...document.querySelectorAll('.cell')];
  const at = cells().findIndex((cell) => cell.contains(document.activeElement));
  const answer = await work;
  requestAnimationFrame(() => {
    if (at === -1 || document.activeElement !== document.body) return;
    const next = cells()[at] ?? cells().at(-1);
    next?.querySelector('button')?.focus();
  });
  return answer;
}

/** Moves and deletes cells of a pad, each with undo. */
export function useCellActions(scratchId: string): CellActions {
  const moving = useToolAction('scratch_move_cell');
  const removing = useToolAction('scratch_delete_cell');
  const restoring = useToolAction('scratch_restore');
  const move = (cell_id: string, to_index: number) =>
    moving.mutateAsync({ scratch_id: scratchId, cell_id, to_index }).catch(sayError);
  return {
    move: ({ cell_id }, to) => void move(cell_id, to),
    remove: ({ cell_id }) =>
      void keepFocus(removing.mutateAsync({ scratch_id: scratchId, cell_id }))
        .then(({ restore }) =>
          say(
            'The cell was deleted.',
            restore && (() => void restoring.mutateAsync(restore.arguments as never).catch(sayError)),
          ),
        )
        .catch(sayError),
  };
}

const dragType = 'application/x-fourfold-cell';

/** Moves a cell by its header. The buttons and keys do the same without a pointer. */
function useCellDrag(cell: Cell, canMove: boolean, { move }: CellActions) {
  const [dropPlace, setDropPlace] = useState<'before' | 'after'>();
  if (!canMove) return {};
  const isCell = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(dragType);
  const placeOf = ({ currentTarget, clientY }: DragEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    return clientY < top + height / 2 ? 'before' : 'after';
  };
  return {
    dropPlace,
    handle: {
      draggable: true,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dataTransfer.effectAllowed = 'move';
        dataTransfer.setData(dragType, JSON.stringify({ cell_id: cell.cell_id, index: cell.index }));
      },
    },
    target: {
      onDragOver: (event: DragEvent) => {
        if (!isCell(event)) return;
        event.preventDefault();
        setDropPlace(placeOf(event));
      },
      onDragLeave: () => setDropPlace(undefined),
      onDrop: (event: DragEvent) => {
        setDropPlace(undefined);
        if (!isCell(event)) return;
        event.preventDefault();
        const moved = JSON.parse(event.dataTransfer.getData(dragType)) as Pick<Cell, 'cell_id' | 'index'>;
        const gap = cell.index + (placeOf(event) === 'after' ? 1 : 0);
        // Without the moved cell, the later ones are one place earlier.
        const to = gap > moved.index ? gap - 1 : gap;
        if (to !== moved.index) move(moved, to);
      },
    },
  };
}

/** When the editor goes, so does the focus: the cell gets it back, and the keyboard stays where it was. */
function useFocusAfterEditing(isEditing: boolean) {
  const host = useRef<HTMLElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing && document.activeElement === document.body)
      host.current?.querySelector('button')?.focus({ preventScroll: true });
    wasEditing.current = isEditing;
  }, [isEditing]);
  return host;
}

interface CellViewProps {
  readonly scratchId: string;
  readonly cell: Cell;
  readonly draft: Draft | undefined;
  readonly isActive: boolean;
  readonly isLast: boolean;
  readonly canWrite: boolean;
  readonly actions: CellActions;
  readonly onHistory: () => void;
}

export function CellView(props: CellViewProps) {
  const { scratchId, cell, draft, isActive, isLast, canWrite, actions, onHistory } = props;
  const number = cell.index + 1;
  const named = (what: string) => `${what} cell ${number}`;
  const drag = useCellDrag(cell, canWrite && draft === undefined, actions);
  const host = useFocusAfterEditing(draft !== undefined);
  return (
    <section
      ref={host}
      className="cell"
      id={`cell-${cell.cell_id}`}
      data-active={isActive}
      data-drop={drag.dropPlace}
      aria-label={`Cell ${number}`}
      {...drag.target}
    >
      <header className="row wrap" {...drag.handle}>
        <span className="soft">{number}</span>
        <Badge>{cell.language}</Badge>
        {(cell.tags ?? []).map((tag) => (
          <Badge key={tag} tone="accent">
            <bdi>{tag}</bdi>
          </Badge>
        ))}
        <span className="row push cell-actions">
          {canWrite && draft === undefined && (
            <>
              <Button
                kind="quiet"
                aria-label={named('Edit')}
                onClick={() => void startDraft(scratchId, cell).catch(sayError)}
              >
                Edit
              </Button>
              <Button
                kind="quiet"
                aria-label={named('Move up')}
                disabled={cell.index === 0}
                onClick={() => actions.move(cell, cell.index - 1)}
              >
                ↑
              </Button>
              <Button
                kind="quiet"
                aria-label={named('Move down')}
                disabled={isLast}
                onClick={() => actions.move(cell, cell.index + 1)}
              >
                ↓
              </Button>
            </>
          )}
          <Button kind="quiet" aria-label={named('History of')} onClick={onHistory}>
            History
          </Button>
          {canWrite && draft === undefined && (
            <Button kind="quiet" aria-label={named('Delete')} onClick={() => actions.remove(cell)}>
              Delete
            </Button>
          )}
        </span>
      </header>
      {draft === undefined ? (
        <NearView heightPx={guessHeight(cell)}>{() => <CellContent scratchId={scratchId} cell={cell} />}</NearView>
      ) : (
        <CellEditor draft={draft} />
      )}
    </section>
  );
}
