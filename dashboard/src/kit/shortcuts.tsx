import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface Shortcut {
  readonly what: string;
  readonly run: () => void;
}

export interface ShortcutGroup {
  readonly name: string;
  /** A key, or two keys one after the other: `g i`. */
  readonly keys: Readonly<Record<string, Shortcut>>;
}

/** Later groups come first: a dialog or a list is above the page that contains it. */
let groups: readonly ShortcutGroup[] = [];
const listeners = new Set<() => void>();
function setGroups(next: readonly ShortcutGroup[]): void {
  groups = next;
  for (const listener of listeners) listener();
}

export const useShortcutGroups = (): readonly ShortcutGroup[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );

/** Keys that work while the component is shown. They are listed in the help sheet. */
export function useShortcuts(name: string, keys: Readonly<Record<string, Shortcut>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  const signature = Object.entries(keys)
    .map(([key, { what }]) => `${key}\0${what}`)
    .join('\n');
  useEffect(() => {
    const entries = signature === '' ? [] : signature.split('\n').map((line) => line.split('\0') as [string, string]);
    const group: ShortcutGroup = {
      name,
      keys: Object.fromEntries(
        entries.map(([key, what]) => [key, { what, run: () => latest.current[key]?.run() }] as const),
      ),
    };
    setGroups([group, ...groups]);
    return () => setGroups(groups.filter((other) => other !== group));
  }, [name, signature]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Buttons and links have their own meaning of enter. */
const ownsEnter = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && ['BUTTON', 'A', 'SUMMARY'].includes(target.tagName);

const secondKeyMs = 3_000;

/** One listener for the whole application. */
export function listenForShortcuts(): () => void {
  let first: { readonly key: string; readonly at: number } | undefined;
  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === 'Enter' && ownsEnter(event.target)) return;
    // A dialog has keys of its own.
    if (event.target instanceof Element && event.target.closest('[role="dialog"]') !== null) return;
    const pair = first && event.timeStamp - first.at < secondKeyMs ? `${first.key} ${event.key}` : undefined;
    const found = groups
      .map(({ keys }) => (pair === undefined ? undefined : keys[pair]) ?? keys[event.key])
      .find((shortcut) => shortcut !== undefined);
    first = { key: event.key, at: event.timeStamp };
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  }
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
