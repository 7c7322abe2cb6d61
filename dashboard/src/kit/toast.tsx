import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
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

const isScrolled = ({ scrollHeight, clientHeight }: Element): boolean => scrollHeight > clientHeight;

/** The part of the page that scrolls, with the focus in it. */
function findScrolled(): Element | undefined {
  for (let at = document.activeElement; at !== null && at !== document.body; at = at.parentElement)
    if (isScrolled(at) && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return undefined;
}

/** Messages take room at the bottom. What one works at moves up with it: its buttons stay in view. */
function useRoom() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let before = 0;
    const observer = new ResizeObserver(() => {
      const { height, top } = element.getBoundingClientRect();
      // Panels and dialogs are not part of the page: they end above this line.
      document.documentElement.style.setProperty('--messages', height === 0 ? '0px' : `${window.innerHeight - top}px`);
      if (height > before) findScrolled()?.scrollBy(0, height - before);
      before = height;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return place;
}

interface MessageProps {
  readonly toast: Toast;
  readonly hasKey: boolean;
  readonly onUndo: () => void;
  /** A message takes the focus along when it goes. */
  readonly giveFocusBack: () => void;
}

function Message({ toast: { id, text, fix, isError, undo }, hasKey, onUndo, giveFocusBack }: MessageProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (element?.contains(document.activeElement)) giveFocusBack();
    };
  }, [giveFocusBack]);
  return (
    <div className="toast" ref={place}>
      <div>
        {isError && <strong>Failed: </strong>}
        {text}
        {fix && <p className="soft">{fix}</p>}
      </div>
      {undo && (
        <Button onClick={onUndo} {...(hasKey && { shortcut: 'u' })}>
          Undo
        </Button>
      )}
      <Button kind="quiet" onClick={() => dismiss(id)}>
        Dismiss
      </Button>
    </div>
  );
}

/** Below the page, so that no message covers it. */
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
  const place = useRoom();
  const cameFrom = useRef<Element>(null);
  const giveFocusBack = useCallback(() => {
    const before = cameFrom.current?.isConnected ? cameFrom.current : document.querySelector('.main .page');
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }, []);
  function keepOrigin({ relatedTarget, currentTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
  }
  return (
    <div className="toasts" role="status" aria-live="polite" ref={place} onFocus={keepOrigin}>
      {shown.map((toast) => (
        <Message
          key={toast.id}
          toast={toast}
          hasKey={toast === undoable}
          onUndo={() => takeBack(toast)}
          giveFocusBack={giveFocusBack}
        />
      ))}
    </div>
  );
}
