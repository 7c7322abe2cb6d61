import { useSyncExternalStore } from 'react';
import { ToolError } from '../api/call.ts';
import { Button } from './button.tsx';
import { useShortcuts } from './shortcuts.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly fix?: string | undefined;
  readonly isError: boolean;
  readonly undo?: (() => void) | undefined;
}

const shownMs = 6_000;
const undoMs = 12_000;
let nextId = 1;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();
function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
const dismiss = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id));

function add(toast: Omit<Toast, 'id'>): void {
  const id = nextId;
  nextId += 1;
  setToasts([...toasts, { ...toast, id }]);
  // Errors stay until they are read.
  if (!toast.isError) setTimeout(() => dismiss(id), toast.undo ? undoMs : shownMs);
}

/** Says what was done; `undo` adds the button that takes it back. */
export const say = (text: string, undo?: () => void): void => add({ text, isError: false, undo });

export const sayError = (error: unknown): void =>
  add({
    text: error instanceof Error ? error.message : String(error),
    fix: error instanceof ToolError ? error.fix : undefined,
    isError: true,
  });

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const undoable = shown.findLast(({ undo }) => undo !== undefined);
  function takeBack({ id, undo }: Toast) {
    dismiss(id);
    undo?.();
  }
  useShortcuts('Message', undoable ? { u: { what: 'Undo', run: () => takeBack(undoable) } } : {});
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => {
        const { id, text, fix, isError, undo } = toast;
        return (
          <div className="toast" key={id}>
            <div>
              {isError && <strong>Failed: </strong>}
              {text}
              {fix && <p className="soft">{fix}</p>}
            </div>
            {undo && (
              <Button onClick={() => takeBack(toast)} {...(toast === undoable && { shortcut: 'u' })}>
                Undo
              </Button>
            )}
            <Button kind="quiet" onClick={() => dismiss(id)}>
              Dismiss
            </Button>
          </div>
        );
      })}
    </div>
  );
}
